import { useQuery } from "@tanstack/react-query";
import { ChevronRight, Circle, CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { firstStepsCookie } from "../../../src/pages/cookies.ts";
import type { Condition } from "../../../src/reports/schema.ts";
import { conditionQuery } from "../../api/calls/overview.ts";
import { useRights } from "../../runtime/rights.ts";
import { keepInCookie } from "../../runtime/storage.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";

interface Step {
  title: string;
  hint: string;
  href: string;
  isDone: boolean;
}

function stepsOf({ firstSteps, isBackedUpElsewhere }: Condition): Step[] {
  const { hasKey, hasInvited, hasVerified, hasBackups } = firstSteps;
  const steps = [
    { title: "Make a key", hint: "Admin keys are free.", href: "/admin/create-keys", isDone: hasKey },
    { title: "Invite a reseller", hint: "With a link or a QR code.", href: "/admin/tokens#new", isDone: hasInvited },
    { title: "Verify from your game", hint: "The code is ready to copy.", href: "/admin/api", isDone: hasVerified },
  ];
  if (isBackedUpElsewhere) return steps;
  const hint = "Set BACKUP_SCHEDULE, or back up now.";
  return [...steps, { title: "Turn on backups", hint, href: "/admin/database-backup", isDone: hasBackups }];
}

/**
 * The steps, or null if there is nothing to guide through, and whether that is known. `mayGuide` is false in a browser
 * in which they were done or dismissed before.
 */
export function useFirstSteps(mayGuide: boolean) {
  const { may } = useRights();
  const { data, isPending } = useQuery({ ...conditionQuery, enabled: may("stats:read") });
  const [isDismissed, setDismissed] = useState(!mayGuide);
  const steps = data ? stepsOf(data) : [];
  const isForFull = may("everything");
  const isOver = isDismissed || (data !== undefined && steps.every(({ isDone }) => isDone));
  useEffect(() => {
    if (isOver && isForFull) keepInCookie(firstStepsCookie, "over");
  }, [isOver, isForFull]);
  return {
    steps: isOver || !data ? null : steps,
    isKnown: isOver || !isPending,
    dismiss: () => setDismissed(true),
  };
}

/** A short list for a new panel (rules.md: Overview pages). */
export function FirstSteps({ steps, onDismiss }: { steps: readonly Step[]; onDismiss: () => void }) {
  // A step may be done in another tab, or in the game.
  useQuery({ ...conditionQuery, refetchOnWindowFocus: "always" });
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card className="mt-3 overflow-clip md:mt-4">
      <CardHeading
        title="Get started"
        description={`${doneCount} of ${steps.length} done`}
        actions={
          <Button variant="ghost" size="small" className="-mr-2.5" onClick={onDismiss}>
            Dismiss
          </Button>
        }
      />
      <ol aria-label="Get started" className="border-t border-line">
        {steps.map(({ title, hint, href, isDone }) => (
          <li key={href} className="border-line not-last:border-b">
            <a
              href={href}
              className="flex min-h-14 items-center gap-3 px-4 py-2.5 -outline-offset-2 transition-colors hover:bg-raised md:px-5"
            >
              {isDone ? (
                <CircleCheck size={20} className="shrink-0 text-active" />
              ) : (
                <Circle size={20} className="shrink-0 text-faint" />
              )}
              <span className="min-w-0 grow">
                <span className={isDone ? "block text-muted" : "block font-medium"}>
                  {isDone && <span className="sr-only">Done: </span>}
                  {title}
                </span>
                {!isDone && <span className="block text-sm text-muted">{hint}</span>}
              </span>
              <ChevronRight size={16} className="shrink-0 text-muted" />
            </a>
          </li>
        ))}
      </ol>
    </Card>
  );
}
