import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { type ReactNode, useEffect, useState } from "react";

export interface StrengthProps {
  /** The current text; an empty one is not rated. */
  password: string;
  /** A password similar to the username is weak. */
  username: string;
  /** Shown instead while there is no estimate. */
  hint?: ReactNode;
}

/** Waits for a pause in typing: otherwise each letter would be announced, and long passwords slow down a weak phone. */
const pauseMs = 250;
/** The time of an estimate grows faster than the password. Longer ones are strong, or repeat themselves. */
const charactersJudgedMax = 32;

const words = ["Very weak", "Weak", "Fair", "Good", "Strong"] as const;
const segments = [1, 2, 3, 4] as const;
const weakScoreMax = 1;

const estimator = new ZxcvbnFactory({
  dictionary: { passwords: dictionary["passwords-common"] },
  graphs: adjacencyGraphs,
  maxLength: charactersJudgedMax,
});

export interface Strength {
  /** From 0, very weak, to 4, strong. */
  score: 0 | 1 | 2 | 3 | 4;
  warning: string | null;
}

/** Loaded late, by `NewPasswordField`. */
export default function PasswordStrength({ password, username, hint }: StrengthProps) {
  const [strength, setStrength] = useState<Strength | null>(null);
  useEffect(() => {
    const judge = () => setStrength(password === "" ? null : strengthOf(password, username));
    const pause = setTimeout(judge, pauseMs);
    return () => clearTimeout(pause);
  }, [password, username]);
  if (!strength || password === "") return <span>{hint}</span>;
  const { score, warning } = strength;
  return (
    <span className="flex items-center gap-2.5">
      <span aria-hidden className="flex w-16 shrink-0 gap-1 max-[22.5rem]:hidden">
        {segments.map((segment) => (
          <span key={segment} className={`h-1 grow rounded-full ${segmentLook(segment, score)}`} />
        ))}
      </span>
      <span>
        <span className="sr-only">Password strength: </span>
        <span className={isWeak(score) ? "text-danger-text" : "text-muted"}>
          {words[score]}
          {warning && `: ${warning}`}
        </span>
      </span>
    </span>
  );
}

/** The estimate is made here: the password does not leave the page. */
function strengthOf(password: string, username: string): Strength {
  const { score, feedback } = estimator.check(password, username === "" ? [] : [username]);
  return { score, warning: warnings[feedback.warning ?? ""] ?? null };
}

/** By the estimator's warnings. */
const warnings: Partial<Record<string, string>> = {
  ...{ topTen: "a common password", topHundred: "a common password", common: "a common password" },
  ...{ similarToCommon: "similar to a common password", userInputs: "similar to your username" },
  ...{ straightRow: "a keyboard pattern", keyPattern: "a keyboard pattern", sequences: "a sequence" },
  ...{ simpleRepeat: "a repetition", extendedRepeat: "a repetition" },
  ...{ dates: "a date", recentYears: "a year" },
};

function isWeak(score: number): boolean {
  return score <= weakScoreMax;
}

/** Even the weakest fills one segment. */
function segmentLook(segment: number, score: number): string {
  if (segment > Math.max(score, 1)) return "bg-line";
  return isWeak(score) ? "bg-danger-text" : "bg-brass";
}
