import { PageHeading } from "../ui/page-heading.tsx";
import { OwnPassword } from "./account/own-password.tsx";
import { OwnSessions } from "./account/own-sessions.tsx";
import { TwoFactor } from "./account/two-factor.tsx";

/** /admin/account and /reseller/account (rules.md: Account pages). */
export default function Account({ username }: { username: string }) {
  return (
    <>
      <PageHeading title="Account" description="Your password, two-factor and sessions." />
      {/* The sessions come last: their number is not known in advance, and nothing below them may move. */}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid gap-4">
          <OwnPassword username={username} />
          <TwoFactor username={username} />
        </div>
        <OwnSessions />
      </div>
    </>
  );
}
