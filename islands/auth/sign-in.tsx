import { KeyRound, MessageCircle } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { LoginForm, type Role } from "../../src/accounts/schema.ts";
import { ApiFailure, hasCode } from "../api/api.ts";
import { readSession, startSession } from "../api/calls/session.ts";
import { useForm } from "../forms/use-form.ts";
import type { Values } from "../forms/values.ts";
import { LinkButton, SubmitButton } from "../ui/button.tsx";
import { asTyped, TextField } from "../ui/field/field.tsx";
import { PasswordField } from "../ui/field/password-field.tsx";
import { focusOnArrival } from "../ui/focus.ts";
import { Tabs } from "../ui/tabs.tsx";
import { carryToast } from "../ui/toast/store.ts";
import { Toaster } from "../ui/toast/toaster.tsx";
import {
  focusFirstEmptyField,
  keepTarget,
  navigateTo,
  rememberRole,
  reportEntranceFailure,
  takeRegisteredName,
  takeTarget,
} from "./entrance.ts";

const roles = [
  { id: "admin", label: "Admin", home: "/admin" },
  { id: "reseller", label: "Reseller", home: "/reseller" },
] as const;

type LoginDraft = Values<typeof LoginForm>;

interface SignInProps {
  messagingLink: string | null;
  /** The role of the last login in this browser; for a first visit, admin (rules.md: Login page). */
  lastRole?: Role;
}

export default function SignIn({ messagingLink, lastRole = "admin" }: SignInProps) {
  const [role, setRole] = useState(lastRole);
  const [busy, setBusy] = useState(false);
  // Text typed in one tab is kept while the other is open.
  const drafts = useRef<Partial<Record<Role, LoginDraft>>>({});
  useEffect(keepTarget, []);
  return (
    <>
      <Tabs
        label="Account type"
        wide
        disabled={busy}
        selected={role}
        onSelect={(id) => setRole(id as Role)}
        tabs={roles.map(({ id, label }) => ({
          id,
          label,
          panel: (
            <RoleForm
              role={id}
              draft={drafts.current[id]}
              onLeave={({ username, password }) => {
                drafts.current[id] = { username, password };
              }}
              onBusy={setBusy}
            />
          ),
        }))}
      />
      <div className="mt-5 grid gap-2 border-t border-line pt-5">
        <LinkButton href="/register" wide size="large" icon={<KeyRound size={16} />}>
          Register with Referral Token
        </LinkButton>
        {messagingLink && (
          <a
            href={messagingLink}
            target="_blank"
            rel="noopener noreferrer"
            className="mx-auto inline-flex min-h-(--hit-small) items-center gap-1.5 rounded-sm px-2 text-sm text-muted hover:text-text"
          >
            <MessageCircle size={14} />
            Contact us
          </a>
        )}
      </div>
      <Toaster />
    </>
  );
}

interface RoleFormProps {
  role: Role;
  draft: LoginDraft | undefined;
  onLeave: (draft: LoginDraft) => void;
  onBusy: (busy: boolean) => void;
}

function RoleForm({ role, draft, onLeave, onBusy }: RoleFormProps) {
  /** The username that needs a code; another name starts without one. */
  const [codeOf, setCodeOf] = useState<string | null>(null);
  const form = useForm({
    schema: LoginForm,
    initial: draft,
    onLeave,
    send: (values) => signIn(role, values),
    fieldOf: { WRONG_CREDENTIALS: "password", WRONG_SECOND_FACTOR: "code" },
    onFailure: (error, { username }) => {
      // This is not a failure: without sound, alert and toast the form asks for the code.
      if (hasCode(error, "SECOND_FACTOR_NEEDED")) setCodeOf(username);
      else void reportEntranceFailure(error, "login");
    },
  });
  const password = form.field("password");
  /** The server refused both; the message is at the password until that is changed. */
  const areRefused = password.message !== undefined && (form.values.password ?? "") !== "";
  const isCodeAsked = codeOf !== null && codeOf === form.values.username;
  useEffect(() => onBusy(form.busy), [form.busy, onBusy]);
  const begin = useEffectEvent(() => {
    const name = takeRegisteredName();
    if (name) form.fill("username", name);
    focusFirstEmptyField(form.props.ref.current);
  });
  useEffect(() => begin(), []);
  return (
    <form {...form.props} method="post" className="grid gap-4">
      <TextField
        {...form.field("username")}
        label="Username"
        autoComplete="username"
        {...asTyped}
        aria-invalid={areRefused || undefined}
      />
      <PasswordField {...password} label="Password" autoComplete="current-password" />
      {isCodeAsked && (
        // The full keyboard, because recovery codes contain letters.
        <TextField
          {...form.field("code")}
          ref={focusOnArrival}
          label="Two-Factor Code"
          hint="From your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          {...asTyped}
        />
      )}
      <span role="status" className="sr-only">
        {isCodeAsked && "Your account needs a code as well."}
      </span>
      <SubmitButton size="large" wide busy={form.busy} busyText="Logging in...">
        {role === "admin" ? "Login as Admin" : "Login as Reseller"}
      </SubmitButton>
    </form>
  );
}

/** Reads the session again, whose role decides where to go; the server would redirect any other role. */
async function signIn(role: Role, form: LoginForm): Promise<void> {
  await startSession(role, form);
  const session = await readSession();
  const user = roles.find(({ id }) => id === session.user?.role);
  if (!session.isAuthenticated || !user) throw new ApiFailure(401, "User session not found. Please log in again.");
  rememberRole(role);
  carryToast({ title: "Success", description: `Logged in as ${role} successfully` });
  await navigateTo(takeTarget(user.id) ?? user.home);
}
