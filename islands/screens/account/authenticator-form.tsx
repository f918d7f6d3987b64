import type { Static } from "@sinclair/typebox";
import { CodeForm } from "../../../src/accounts/account-schema.ts";
import { useForm } from "../../forms/use-form.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { TextField } from "../../ui/field/field.tsx";
import { focusOnArrival } from "../../ui/focus/on-arrival.ts";
import { QrCode } from "../../ui/qr-code.tsx";

interface AuthenticatorFormProps {
  id: string;
  secret: string;
  uri: string;
  send: (form: Static<typeof CodeForm>) => Promise<unknown>;
}

/** The secret for an authenticator, in three ways, and the code that it shows then. */
export function AuthenticatorForm({ id, secret, uri, send }: AuthenticatorFormProps) {
  const form = useForm({ schema: CodeForm, rule: sixDigits, send, fieldOf: { WRONG_SECOND_FACTOR: "code" } });
  return (
    <form {...form.props} id={id} className="grid gap-4">
      {/* What comes first here has the focus first: in the field below, a phone's keyboard would cover it. */}
      <section
        ref={focusOnArrival}
        tabIndex={-1}
        aria-label="Key for your authenticator app"
        className="grid gap-3 outline-none"
      >
        <QrCode text={uri} label="QR code of the key" />
        {/* Nobody can scan the screen of the phone that they hold. */}
        <a
          href={uri}
          className="min-h-(--hit) content-center justify-self-center rounded-sm px-2 font-medium text-brass-bright underline underline-offset-2 md:hidden"
        >
          Open in an authenticator app
        </a>
        <div className="flex items-center gap-2 rounded-lg border border-line bg-card py-2 pr-2 pl-3">
          <div className="min-w-0 grow">
            <p className="text-xs text-muted">Or type this key into the app</p>
            <p className="key-text">{inGroups(secret)}</p>
          </div>
          <CopyButton label="Copy" text={secret} />
        </div>
      </section>
      <TextField
        {...form.field("code")}
        label="Code From the App"
        hint={`The ${codeDigits} digits that it shows now.`}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </form>
  );
}

/** rules.md: Two-factor. */
const codeDigits = 6;

/** A try that cannot be right would count as a wrong password. Apps show the digits in two groups. */
function sixDigits({ code }: Static<typeof CodeForm>) {
  const isCode = new RegExp(`^[0-9]{${codeDigits}}$`).test(code.replace(/\s/g, ""));
  return isCode ? [] : [{ path: "code", message: `The code has ${codeDigits} digits` }];
}

function inGroups(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, "$& ");
}
