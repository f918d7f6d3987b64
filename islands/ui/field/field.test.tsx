import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { SwitchField, TextAreaField, TextField } from "./field.tsx";

test("a message replaces the hint, is announced and describes its field", () => {
  const view = render(<TextField label="Username" hint="3 to 32 characters" autoComplete="username" />);
  const field = screen.getByRole("textbox", { name: "Username", description: "3 to 32 characters" });
  expect(field.getAttribute("autocomplete")).toBe("username");
  view.rerender(<TextField label="Username" hint="3 to 32 characters" message="Username is required" />);
  expect(screen.getByRole("alert").textContent).toBe("Username is required");
  expect(screen.getByRole("textbox", { description: "Username is required" }).getAttribute("aria-invalid")).toBe(
    "true",
  );
});

test("a counter shows how much of the message is used", () => {
  render(<TextAreaField label="Message" length={27} counterMax={500} />);
  expect(screen.getByText("27/500")).toBeTruthy();
});

test("a switch is a checkbox with the role of a switch", () => {
  render(<SwitchField label="Active" defaultChecked hint="Apps see it at once." />);
  expect((screen.getByRole("switch", { name: "Active" }) as HTMLInputElement).checked).toBe(true);
});
