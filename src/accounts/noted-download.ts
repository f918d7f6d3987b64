import type { Entry } from "../core/record.ts";
import type { Acts } from "./acts.ts";
import type { Caller } from "./caller.ts";

/**
 * A download is on record before its first byte is sent (rules.md: Recording): `content` has begun, so that one which cannot begin is
 * nobody's act, and one that cannot be recorded is called off.
 */
export async function notedDownload<Content extends ReadableStream>(
  acts: Acts,
  admin: Caller,
  noted: Omit<Extract<Entry, { action: "data_downloaded" }>, "action">,
  content: Content,
): Promise<Content> {
  try {
    const record = { action: "data_downloaded" as const, ...noted };
    await acts.carryOut(admin, async () => ({ result: undefined, record }));
    return content;
  } catch (error) {
    await content.cancel();
    throw error;
  }
}
