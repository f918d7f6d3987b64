import { type Static, Type } from "@sinclair/typebox";
import { InstantOrNull } from "../http/schema.ts";

export const Collection = Type.Object({
  name: Type.String({ examples: ["license_keys"] }),
  count: Type.Integer({ examples: [1200] }),
  size: Type.Integer({ description: "Approximate, in bytes", examples: [204800] }),
  modified: InstantOrNull,
});
export type Collection = Static<typeof Collection>;

export const CollectionParams = Type.Object({
  name: Type.String({ pattern: "^[a-z_]{1,40}$", examples: ["license_keys"] }),
});
