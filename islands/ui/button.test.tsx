import { expect, mock, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expectFocus } from "../../tests/expect-element.ts";
import { Button, IconButton } from "./button.tsx";

test("a busy button is marked busy, keeps the focus and cannot be pressed or submit again", async () => {
  const press = mock();
  const submit = mock((event: { preventDefault: () => void }) => event.preventDefault());
  render(
    <form onSubmit={submit}>
      <input aria-label="Username" />
      <Button type="submit" busy busyText="Logging in..." onClick={press}>
        Login as Admin
      </Button>
    </form>,
  );
  const button = screen.getByRole("button", { name: "Logging in..." });
  await userEvent.click(button);
  await userEvent.type(screen.getByLabelText("Username"), "night.owl{Enter}");
  button.focus();
  await expectFocus(button);
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(press).not.toHaveBeenCalled();
  expect(submit).not.toHaveBeenCalled();
});

test("a button submits only if told to, and an icon button has a name", () => {
  render(<IconButton label="Close" icon={<svg aria-hidden="true" />} />);
  expect(screen.getByRole("button", { name: "Close" }).getAttribute("type")).toBe("button");
});
