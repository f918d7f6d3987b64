import type { KeyStatus } from "../../../../src/keys/schema.ts";
import type { TimelineEvent } from "../../../../src/keys/timeline/timeline-schema.ts";
import type { Reader } from "../../../api/calls/key-life.ts";

interface ToDo {
  text: string;
  link?: { href: string; label: string };
}

/** What can be done about an event, as the key stands now. Most events ask for nothing. */
export function whatToDo(
  { kind, code }: TimelineEvent,
  { status, hasRoom }: { status: KeyStatus; hasRoom: boolean },
  reader: Reader,
): ToDo | null {
  if (kind !== "refused") return null;
  if (status !== "ACTIVE") return { text: `The key stays ${status.toLowerCase()}.`, link: anotherKey(reader) };
  if (code !== "DEVICE_LIMIT_REACHED") return null;
  if (hasRoom) return { text: "There is room now: it connects when the game asks again." };
  return reader === "reseller"
    ? { text: "To let it in,", link: { href: "#devices", label: "remove a device." } }
    : { text: "To let it in, a device has to go." };
}

function anotherKey(reader: Reader) {
  return { href: reader === "reseller" ? "/reseller/generate" : "/admin/create-keys", label: "Generate another." };
}
