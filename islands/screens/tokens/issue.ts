import { statsQuery } from "../../api/calls/overview.ts";
import { issueToken, tokenList } from "../../api/calls/tokens.ts";
import { refresh } from "../../api/query.ts";
import { useWork } from "../../api/work.ts";
import { copyText } from "../../ui/copy-button.tsx";
import { errorToastDurationMs, showToast } from "../../ui/toast/store.ts";

/** The new token is copied to the clipboard and shown in the toast (rules.md: Referral tokens). */
export function useIssue() {
  return useWork({
    mutationFn: issueToken,
    onSuccess: async ({ token: { token } }) => {
      void refresh(tokenList, statsQuery);
      sayIssued(token, await copyText(token));
    },
    failed: "Failed to generate token",
  });
}

/** A browser may let a page copy only while a press lasts, and the call outlasted it: then the toast offers another press. */
function sayIssued(token: string, copied: boolean): void {
  if (copied) {
    showToast({ title: "Token Generated", description: `${token} copied to clipboard` });
    return;
  }
  showToast({
    title: "Token Generated",
    description: token,
    durationMs: errorToastDurationMs,
    action: { label: "Copy", onPress: () => void copyText(token) },
  });
}
