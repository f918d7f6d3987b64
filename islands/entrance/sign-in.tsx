import { KeyRound, MessageCircle } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { LoginForm, type Role } from "../../src/accounts/schema.ts";
import { useHydrated } from "../runtime/hydration.ts";
import { ApiFailure } from "../server/api.ts";
import { readSession, startSession } from "../server/session.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { TextField } from "../ui/field/field.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { carryToast } from "../ui/toast/store.ts";
import { Toaster } from "../ui/toast/toaster.tsx";
import { loginWords, sayEntranceFailure } from "./parts/entrance-failure.ts";
import { useEntranceForm } from "./parts/entrance-form.ts";
import { rememberRole } from "./parts/last-role.ts";

const roles = [
  { id: "admin", label: "Admin", home: "/admin" },
  { id: "reseller", label: "Reseller", home: "/reseller" },
] as const;

interface SignInProps {
  messagingLink: string | null;
  /** Whose login this browser saw last; a fresh visitor's is the admin's (section 2). */
  lastRole?: Role;
}

export default function SignIn({ messagingLink, lastRole = "admin" }: SignInProps) {
  const [role, setRole] = useState(lastRole);
  const [busy, setBusy] = useState(false);
  // What was typed in one tab is still there when its owner comes back from the other.
  const drafts = useRef<Record<Role, Partial<LoginForm>>>({ admin: {}, reseller: {} });
  return (
    <>
      <Tabs
        label="Who is signing in"
        wide
        disabled={busy}
        selected={role}
        onSelect={(id) => setRole(id as Role)}
        tabs={roles.map(({ id, label }) => ({
          id,
          label,
          panel: <RoleForm role={id} draft={drafts.current[id]} onBusy={setBusy} />,
        }))}
      />
      <div className="mt-5 grid gap-2 border-t border-line pt-5">
        <LinkButton href="/register" wide size="large" icon={<KeyRound aria-hidden size={16} />}>
          Register with Referral Token
        </LinkButton>
        {messagingLink && (
          <a
            href={messagingLink}
            target="_blank"
            rel="noopener noreferrer"
            className="mx-auto inline-flex min-h-(--hit-small) items-center gap-1.5 rounded-sm px-2 text-sm text-muted hover:text-text"
          >
            <MessageCircle aria-hidden size={14} />
            Contact us
          </a>
        )}
      </div>
      <Toaster />
    </>
  );
}

function RoleForm(props: { role: Role; draft: Partial<LoginForm>; onBusy: (busy: boolean) => void }) {
  const { role, draft, onBusy } = props;
  const hydrated = useHydrated();
  const { busy, messages, formProps } = useEntranceForm({
    schema: LoginForm,
    send: (values) => signIn(role, values),
    onFailure: (error) => sayEntranceFailure(error, loginWords),
  });
  useEffect(() => onBusy(busy), [busy, onBusy]);
  const keep = (field: keyof LoginForm) => (event: { currentTarget: HTMLInputElement }) => {
    draft[field] = event.currentTarget.value;
  };
  return (
    <form {...formProps} method="post" className="grid gap-4">
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={draft.username}
        onChange={keep("username")}
        message={messages.username}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        defaultValue={draft.password}
        onChange={keep("password")}
        message={messages.password}
      />
      {/* Before the page is awake a press would send the form past its script. */}
      <Button
        type="submit"
        variant="primary"
        size="large"
        wide
        disabled={!hydrated}
        className="disabled:cursor-default disabled:opacity-100"
        busy={busy}
        busyText="Logging in..."
      >
        {role === "admin" ? "Login as Admin" : "Login as Reseller"}
      </Button>
    </form>
  );
}

/** The session is fetched again, and its role says where to go; the server would send anyone else back. */
async function signIn(role: Role, form: LoginForm): Promise<void> {
  await startSession(role, form);
  const session = await readSession();
  const home = roles.find(({ id }) => id === session.user?.role)?.home;
  if (!session.isAuthenticated || !home) throw new ApiFailure(401, "User session not found. Please log in again.");
  rememberRole(role);
  carryToast({ title: "Success", description: `Logged in as ${role} successfully` });
  window.location.assign(home);
}
