import { expect, test } from "bun:test";
import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NewPasswordField, PasswordField } from "./password-field.tsx";

test("a password is shown by a press, and hidden by the next one, and before it is sent", async () => {
  render(
    <form onSubmit={(event) => event.preventDefault()}>
      <PasswordField label="New Password" name="newPassword" />
    </form>,
  );
  const field = screen.getByLabelText<HTMLInputElement>("New Password");
  await userEvent.type(field, "secret");
  await userEvent.click(screen.getByRole("button", { name: "Show new password" }));
  expect([field.type, field.value]).toEqual(["text", "secret"]);
  await userEvent.click(screen.getByRole("button", { name: "Hide new password" }));
  expect(field.type).toBe("password");
  await userEvent.click(screen.getByRole("button", { name: "Show new password" }));
  fireEvent.submit(field.form as HTMLFormElement);
  expect([field.type, field.value]).toEqual(["password", "secret"]);
});

const ratings: [password: string, words: string][] = [
  ["qwerty", "Very weak: a common password"],
  ["Qwerty1!", "Weak: similar to a common password"],
  ["night.owl", "Very weak: similar to your username"],
  ["lmlmlmlmlm", "Very weak: a repetition"],
  ["vR7mKp2sXw9nTq4bHc6d", "Strong"],
];
test.each(ratings)("the strength of %s is announced in words", async (password, words) => {
  render(<NewPasswordField label="Password" name="password" password={password} username="night.owl" />);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe(`Password strength: ${words}`);
});

test("an empty field is not rated, nor is its previous text: it has its hint", async () => {
  const field = (password: string) => (
    <NewPasswordField label="Password" name="password" hint="At least 8" password={password} username="" />
  );
  const { rerender } = render(field("qwerty"));
  await screen.findByText(/^Very weak/);
  expect(screen.queryByText("At least 8") === null).toBeTrue();
  rerender(field(""));
  expect(screen.getByRole("status").textContent).toBe("At least 8");
});
