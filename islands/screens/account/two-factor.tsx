import { useQuery } from "@tanstack/react-query";
import type { TwoFactorState } from "../../../src/accounts/account-schema.ts";
import { failureText } from "../../api/api.ts";
import { twoFactorQuery } from "../../api/calls/account.ts";
import { pluralText } from "../../format.ts";
import { usePreload } from "../../runtime/preload.ts";
import { useHashCommand } from "../../state/hash-command.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { lazyDialog, useDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** From this number on, new ones should be made. */
const recoveryCodesFew = 3;

const TwoFactorDialog = lazyDialog(() => import("./two-factor-dialog.tsx"));

export function TwoFactor({ username }: { username: string }) {
  const { data, error, isFetching, refetch } = useQuery(twoFactorQuery);
  const { dialog, show } = useDialog<{ action: "setUp" | "turnOff" }>();
  usePreload(TwoFactorDialog.load);
  const failed = error !== null && data === undefined;
  function press() {
    if (failed) void refetch();
    else show({ action: data?.enabled ? "turnOff" : "setUp" });
  }
  useHashCommand("two-factor", press, { isReady: data !== undefined });
  return (
    <Card>
      <CardHeading
        title="Two-Factor Sign-In"
        description="A code from your authenticator app as well as your password."
      />
      <CardBody className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        {/* Room for two lines, which some of the sentences take on a narrow phone. */}
        <div className="flex min-h-10 min-w-0 items-center gap-3" role={failed ? "alert" : undefined}>
          {failed ? failureText(error, "Two-factor sign-in could not be loaded.") : <State state={data} />}
        </div>
        {/* One button for all states, so that it keeps the focus. */}
        <Button
          variant={data?.enabled ? "danger-quiet" : "secondary"}
          className={data || failed ? "max-md:w-full" : "invisible max-md:w-full"}
          busy={failed && isFetching}
          onClick={press}
        >
          {failed ? "Retry" : data?.enabled ? "Turn Off" : "Set Up"}
        </Button>
      </CardBody>
      {dialog && <TwoFactorDialog key={dialog.nth} {...dialog} username={username} />}
    </Card>
  );
}

function State({ state }: { state: TwoFactorState | undefined }) {
  if (!state) return <Skeleton className="w-40" />;
  const { enabled, recoveryCodesLeft: left } = state;
  return (
    <>
      <Badge tone={enabled ? "active" : "plain"} dot={enabled}>
        {enabled ? "On" : "Off"}
      </Badge>
      <span className="min-w-0 text-muted">
        {enabled ? `${pluralText(left, "recovery code")} left.` : "Your password alone signs you in."}
        {enabled && left <= recoveryCodesFew && " Set it up again to get more."}
      </span>
    </>
  );
}
