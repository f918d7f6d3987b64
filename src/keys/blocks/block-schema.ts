import { type Static, Type } from "@sinclair/typebox";
import { requiredLine } from "../../core/field.ts";
import { Instant, pagingFields, searchField } from "../../http/schema.ts";
import { DeviceId } from "../../verify/schema.ts";

export const BlockForm = Type.Object({ deviceId: DeviceId, reason: requiredLine("Reason", "Key resold") });
export type BlockForm = Static<typeof BlockForm>;

/** A device that cannot connect to the keys that the block covers (rules.md: Blocked devices). */
export const Block = Type.Object({
  id: Type.Integer({ examples: [12] }),
  deviceId: Type.String({ examples: ["a3f1c9d2-phone"] }),
  reason: Type.String({ examples: ["Key resold"] }),
  by: Type.String({ examples: ["night.owl"], description: "Who blocked it" }),
  at: Instant,
});
export type Block = Static<typeof Block>;

export const BlockListQuery = Type.Object({ ...searchField("Part of the device id or the reason"), ...pagingFields });
export type BlockListQuery = Static<typeof BlockListQuery>;
