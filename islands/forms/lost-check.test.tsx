import { expect, mock, test } from "bun:test";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { LoginForm } from "../../src/accounts/schema.ts";
import { ApiFailure } from "../api/api.ts";
import { TextField } from "../ui/field/field.tsx";
import { useForm } from "./use-form.ts";

const message = "Username is required";
const send = mock(() => Promise.reject(new ApiFailure(422, message, "INVALID", [{ path: "username", message }])));

function Probe() {
  const form = useForm({ schema: LoginForm, send });
  return (
    <form {...form.props} aria-label="Login">
      <TextField {...form.field("username")} label="Username" />
    </form>
  );
}

test("if the script that validates a form cannot be loaded, the server's messages are shown until the field is edited", async () => {
  Object.defineProperty(navigator, "onLine", { value: false, configurable: true });
  render(<Probe />);
  fireEvent.submit(screen.getByRole("form"));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(message));
  expect(send).toHaveBeenCalledTimes(1);
  fireEvent.input(screen.getByLabelText("Username"), { target: { value: "n" } });
  expect(screen.queryByRole("alert") === null).toBeTrue();
});
