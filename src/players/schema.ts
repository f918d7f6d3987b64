import { type Static, Type } from "@sinclair/typebox";
import { GameName } from "../catalogue/game-name.ts";
import { InstantOrNull } from "../http/schema.ts";
import { KeyText, Lang } from "../verify/schema.ts";

export const ReleaseRequest = Type.Object({
  key: KeyText,
  game: GameName,
  ref: Type.String({
    pattern: "^[\\w-]{1,64}$",
    examples: ["o3Ck2YbN0cT8mJ1x"],
    description: "The device's `ref`, from the verdict",
    says: { required: "ref is required", wrong: "ref must be from a verdict" },
  }),
  lang: Lang,
});
export type ReleaseRequest = Static<typeof ReleaseRequest>;

export const Released = Type.Object({
  message: Type.String({ examples: ["The device was freed. The key can be used on another one."] }),
  allowedAt: { ...InstantOrNull, description: "When the next device of the key may be freed; null for now" },
});
export type Released = Static<typeof Released>;

/** Whether and how often players may free the devices of a game's keys (rules.md: Releases by players). */
export interface ReleasePolicy {
  isAllowed: boolean;
  cooldownHours: number;
  perThirtyDays: number;
  /** After so many days unseen a device gives its slot to a new one; null: never. */
  idleDays: number | null;
}

/** A time in which no device could be seen. `endedAt` is null while it lasts. */
export interface Closed {
  beganAt: number;
  endedAt: number | null;
}
