import { useState } from "react";
import { Proof } from "../../../src/accounts/account-schema.ts";
import { needsScope, scopesIn } from "../../../src/accounts/api-keys/api-key-form.ts";
import { type Role, usernameCharactersMax } from "../../../src/accounts/schema.ts";
import { type StaffAccount, StaffPageForm } from "../../../src/accounts/staff/staff-schema.ts";
import { staffCalls } from "../../api/calls/account.ts";
import { refresh, useWork } from "../../api/query.ts";
import { checkBoxes } from "../../forms/box-groups.tsx";
import { Confirmation } from "../../forms/confirmation.tsx";
import { FormDialog } from "../../forms/form-dialog.tsx";
import { OwnProof, proofFields, rightGroups, ScopeFields } from "../../forms/scope-fields.tsx";
import { Button } from "../../ui/button.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { NewPassword } from "../../ui/dialog/shown-once.tsx";
import { asTyped, TextField } from "../../ui/field/field.tsx";

export interface StaffDialogProps extends Openable {
  area: Role;
  /** The viewer's: the browser fills in the password that it keeps for it. */
  username: string;
  action: "rights" | "on" | "password" | "removal";
  /** Null makes one. */
  account: StaffAccount | null;
}

type Change = Omit<StaffDialogProps, "action"> & { onMade: (made: { username: string; newPassword: string }) => void };

export default function StaffDialog({ action, ...props }: StaffDialogProps) {
  const { account, area, username, ...dialog } = props;
  const [made, setMade] = useState<{ username: string; newPassword: string } | null>(null);
  if (made) return <NewPassword {...dialog} username={made.username} password={made.newPassword} />;
  if (account && action === "password") return <PasswordReset {...props} account={account} onMade={setMade} />;
  if (account && action === "removal") return <Removal {...dialog} area={area} account={account} />;
  return <Editor {...props} switchesOn={action === "on"} onMade={setMade} />;
}

/** A new account, or the rights of one, which may also be switched on. */
function Editor({ area, username, account, switchesOn, onMade, ...dialog }: Change & { switchesOn: boolean }) {
  const { query, create, change } = staffCalls(area);
  const work = useWork({
    mutationFn: async ({ creditsPerDay, password, code, ...form }: StaffPageForm) => {
      const limit = area === "reseller" ? { creditsPerDay: creditsPerDay ?? null } : {};
      const body = { rights: scopesIn(form), ...limit, password, code: code || undefined };
      if (!account) return create({ ...body, username: form.username });
      await change(account.id, switchesOn ? { ...body, isActive: true } : body);
      return null;
    },
    done: (made) => (made ? `Created ${made.username}` : `Saved ${account?.username}`),
    failed: "Failed to save the account",
    shownAtFields: [...Object.keys(proofFields), "USERNAME_TAKEN", "INVALID"],
    onSettled: () => void refresh(query),
  });
  const groups = rightGroups(area);
  const submit = account ? (switchesOn ? "Switch On" : "Save") : "Create Account";
  return (
    <FormDialog
      {...dialog}
      title={account ? `${switchesOn ? "Switch On" : "Change"} ${account.username}` : "New Staff Account"}
      description="For a helper, who can do what you choose here and nothing else."
      work={work}
      submit={submit}
      busyText="Saving..."
      form={{
        schema: StaffPageForm,
        rule: (form) => needsScope(form, firstRight),
        initial: { ...account, ...Object.fromEntries(account?.rights.map((right) => [right, true]) ?? []) },
        fieldOf: { ...proofFields, rights: firstRight, USERNAME_TAKEN: "username" },
      }}
      onSent={(made) => (made ? onMade(made) : dialog.onOpenChange(false))}
    >
      {(form) => (
        <>
          {account ? (
            <input type="hidden" name="username" value={account.username} />
          ) : (
            <TextField
              {...form.field("username")}
              label="Username"
              maxLength={usernameCharactersMax}
              data-autofocus
              {...asTyped}
            />
          )}
          <div className="flex flex-wrap gap-2">
            {Object.entries(presets).map(([name, rights]) => (
              <Button
                key={name}
                size="small"
                onClick={({ currentTarget }) =>
                  checkBoxes(currentTarget.form, Object.values(groups).flat(), (right) => rights.includes(right))
                }
              >
                {name}
              </Button>
            ))}
          </div>
          <ScopeFields form={form} area={area} groups={groups} />
          {form.values["keys:manage"] && !form.values["keys:read"] && (
            <p role="status">Without keys:read, it cannot open the list of keys.</p>
          )}
          <OwnProof form={form} username={username} />
        </>
      )}
    </FormDialog>
  );
}

/** Its field shows the message of all rights. */
const firstRight = "keys:read";

const presets: Record<string, readonly string[]> = {
  "Sells keys": ["keys:read", "keys:order"],
  "Answers players": ["keys:read", "keys:manage"],
};

type Existing = { account: StaffAccount };

function PasswordReset({ area, username, account, onMade, ...dialog }: Change & Existing) {
  const { query, resetPassword } = staffCalls(area);
  const work = useWork({
    mutationFn: (proof: Proof) => resetPassword(account.id, { ...proof, code: proof.code || undefined }),
    failed: "Failed to reset password",
    shownAtFields: Object.keys(proofFields),
    onSettled: () => void refresh(query),
  });
  return (
    <FormDialog
      {...dialog}
      title="Reset Password"
      description={`${account.username} gets a random password and is signed out. Two-factor sign-in is turned off.`}
      work={work}
      submit="Reset Password"
      busyText="Resetting..."
      form={{ schema: Proof, fieldOf: proofFields }}
      onSent={({ newPassword }) => onMade({ ...account, newPassword })}
    >
      {(form) => <OwnProof form={form} username={username} />}
    </FormDialog>
  );
}

function Removal({ area, account, ...dialog }: Openable & Existing & Pick<StaffDialogProps, "area">) {
  const { query, remove } = staffCalls(area);
  return (
    <Confirmation
      {...dialog}
      title="Remove Account"
      text={`${account.username} is signed out for good. Orders and the audit log keep the name.`}
      confirmLabel="Remove Account"
      busyLabel="Removing..."
      mutationFn={() => remove(account.id)}
      done={({ message }) => message}
      failed="Failed to remove the account"
      onSettled={() => refresh(query)}
      closesAfter={["NOT_FOUND"]}
    />
  );
}
