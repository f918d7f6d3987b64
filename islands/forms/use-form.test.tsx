import { expect, mock, test } from "bun:test";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { RegistrationForm } from "../../src/accounts/schema.ts";
import { expectFocus } from "../../tests/expect-element.ts";
import { ApiFailure } from "../api/api.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field/field.tsx";
import { useForm } from "./use-form.ts";
import type { Values } from "./values.ts";

interface ProbeProps {
  send?: (values: RegistrationForm) => Promise<unknown>;
  initial?: Values<typeof RegistrationForm>;
  onFailure?: (error: unknown) => void;
  onLeave?: (values: Values<typeof RegistrationForm>) => void;
}

/** The password is first here, and second in the schema. */
function Probe({ send = async () => {}, initial, onFailure, onLeave }: ProbeProps) {
  const fieldOf = { TOKEN_USED: "referralToken", name: "username" } as const;
  const form = useForm({ schema: RegistrationForm, initial, send, fieldOf, onFailure, onLeave });
  return (
    <form {...form.props}>
      <TextField {...form.field("password")} label="Password" type="password" />
      <TextField {...form.field("username")} label="Username" />
      <TextField {...form.field("referralToken")} label="Token" />
      <output>{form.values.username}</output>
      <Button onClick={() => form.fill("referralToken", "a-token")}>Paste</Button>
      <Button type="submit" busy={form.busy} busyText="Sending...">
        Send
      </Button>
    </form>
  );
}

const right = { username: "night.owl", password: "secret-secret", referralToken: "hK3vWq8Z" };
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const submit = () => fireEvent.submit(field("Username").form as HTMLFormElement);
const messages = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent);

test("values filled in before hydration are shown and sent", async () => {
  const send = mock(async () => {});
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = renderToString(<Probe />);
  field("Username").value = right.username;
  field("Token").value = right.referralToken;
  render(<Probe send={send} />, { container, hydrate: true });
  expect(screen.getByRole("status").textContent).toBe("night.owl");
  // A password manager fills in fields without an event.
  field("Password").value = right.password;
  submit();
  await waitFor(() => expect(send.mock.calls).toEqual([[right]] as never));
});

test("the first invalid field on the page is focused, and nothing is sent", async () => {
  const send = mock(async () => {});
  render(<Probe send={send} initial={{ username: "night.owl" }} />);
  submit();
  const wrong = ["Password must be at least 6 characters", "Referral token is required"];
  await waitFor(() => expect(messages()).toEqual(wrong));
  await expectFocus(field("Password"));
  expect(send).not.toHaveBeenCalled();
});

test("a message is updated while its field is edited, disappears once the field is valid, and leaves the others alone", async () => {
  render(<Probe initial={{ password: right.password }} />);
  submit();
  const wrong = ["Username must be at least 3 characters", "Referral token is required"];
  await waitFor(() => expect(messages()).toEqual(wrong));
  await userEvent.type(field("Username"), "?!*");
  expect(messages()[0]).toBe("Username may contain only letters, digits, underscores, dots and hyphens");
  await userEvent.clear(field("Username"));
  await userEvent.type(field("Username"), "owl");
  expect(messages()).toEqual(["Referral token is required"]);
  await userEvent.click(screen.getByRole("button", { name: "Paste" }));
  expect([messages(), field("Token").value]).toEqual([[], "a-token"]);
});

test("a valid field gets no message while it is edited", async () => {
  render(<Probe initial={{ username: "night.owl" }} />);
  submit();
  await waitFor(() => expect(messages()).toHaveLength(2));
  await userEvent.clear(field("Username"));
  expect(messages()).toHaveLength(2);
});

const refusals: [string, ApiFailure, string][] = [
  ["by its name", refusal(null, "password"), "Password"],
  ["by the refusal's code", refusal("TOKEN_USED"), "Token"],
  ["by the call's name for it", refusal(null, "name"), "Username"],
];
function refusal(code: string | null, path?: string): ApiFailure {
  return new ApiFailure(422, "No.", code, path ? [{ path, message: "No." }] : []);
}

for (const [how, failure, label] of refusals) {
  test(`a field that the server refuses, ${how}, shows the message until it is edited`, async () => {
    render(<Probe initial={right} send={() => Promise.reject(failure)} />);
    submit();
    await waitFor(() => expect(messages()).toEqual(["No."]));
    expect(field(label).getAttribute("aria-invalid")).toBe("true");
    await expectFocus(field(label));
    await userEvent.type(field(label), "x");
    expect(messages()).toEqual([]);
  });
}

test("a failure is reported once its messages are shown, because a blocking alert may follow", async () => {
  const failure = refusal("TOKEN_USED");
  const shown: unknown[] = [];
  const onFailure = (error: unknown) => shown.push(error, messages(), document.activeElement?.id);
  render(<Probe initial={right} send={() => Promise.reject(failure)} onFailure={onFailure} />);
  submit();
  await waitFor(() => expect(shown).toEqual([failure, ["No."], field("Token").id]));
});

test("two presses in a row send once, the form is busy until then, and a failed one can be sent again", async () => {
  let response = Promise.withResolvers<void>();
  const send = mock(() => response.promise);
  render(<Probe initial={right} send={send} />);
  submit();
  submit();
  expect(screen.getByRole("button", { name: "Sending..." })).toBeTruthy();
  expect(send).toHaveBeenCalledTimes(1);
  response.reject(new ApiFailure(0, "The server cannot be reached."));
  await screen.findByRole("button", { name: "Send" });
  response = Promise.withResolvers<void>();
  submit();
  expect(send).toHaveBeenCalledTimes(2);
  response.resolve();
  await screen.findByRole("button", { name: "Send" });
  // The second press of a double click, after the response of a quick server.
  submit();
  expect(send).toHaveBeenCalledTimes(2);
});

test("onLeave gets the values of the fields when the form unmounts", async () => {
  const onLeave = mock();
  const { unmount } = render(<Probe onLeave={onLeave} />);
  await userEvent.type(field("Username"), "night.owl ");
  expect(onLeave).not.toHaveBeenCalled();
  unmount();
  expect(onLeave.mock.calls).toEqual([[{ username: "night.owl", password: "", referralToken: "" }]]);
});
