import type { Entry } from "../core/audit-entry.ts";
import type { AuditedChanges } from "./audited-changes.ts";
import type { Caller } from "./caller.ts";

/**
 * A download is on record before its first byte is sent (rules.md: Recording): `content` has begun, so that one which cannot begin is
 * nobody's act, and one that cannot be recorded is called off.
 */
export async function notedDownload<Content extends ReadableStream>(
  changes: AuditedChanges,
  admin: Caller,
  noted: Omit<Extract<Entry, { action: "data_downloaded" }>, "action">,
  content: Content,
): Promise<Content> {
  try {
    const record = { action: "data_downloaded" as const, ...noted };
    await changes.carryOut(admin, async () => ({ result: undefined, record }));
    return content;
  } catch (error) {
    await content.cancel();
    throw error;
  }
}
