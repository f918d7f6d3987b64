import { type Static, Type } from "@sinclair/typebox";
import { GameName } from "../catalogue/game-name.ts";
import { deviceIdPattern } from "../core/device-id.ts";
import { oneOf, orNull, textOrNull } from "../core/field.ts";
import { keyCharactersMax, sentCharactersMax } from "../core/key-text.ts";
import { Instant, InstantOrNull } from "../http/schema.ts";

export const DeviceId = Type.RegExp(deviceIdPattern, {
  examples: ["a3f1c9d2-phone"],
  description: "1 to 128 visible characters",
  // What the document of the API says, in which the whole pattern cannot stand.
  pattern: "^\\S{1,128}$",
  says: { required: "deviceId is required", wrong: "deviceId must be 1 to 128 visible characters" },
});

export const keySentence = `key must be 1 to ${keyCharactersMax} characters`;

/** Any text may be tried as a key. Only what can never be one is refused before the database is read. */
export const KeyText = Type.String({
  minLength: 1,
  maxLength: sentCharactersMax,
  examples: ["PBGM-A1B2C-D3E4F-G5H6I"],
  says: { required: "key is required", wrong: keySentence },
});

/** Only its leading numbers count. */
export const Version = Type.Optional(
  Type.Union([Type.Null(), Type.String({ maxLength: 64 })], {
    examples: ["1.12.3"],
    description: "The game's version, for games with a minimum version",
    says: { wrong: "version must be a text of at most 64 characters" },
  }),
);

const DeviceName = optionalText("deviceName", "Pixel 8", "What people call the device; 64 characters of it are kept");
export const Lang = optionalText("lang", "pt-BR", "The player's language");

/** With it the verdict is signed (rules.md: Proofs). In canonical base64url the bits after the 16 bytes are 0. */
const Nonce = Type.Optional(
  Type.Union([Type.Null(), Type.String({ pattern: "^([\\w-]{21}[AQgw])?$" })], {
    examples: ["q83vEjRWeJq83vEjRWeJqg"],
    description: "16 random bytes as base64url without padding. Then the response has a `proof`",
    says: { wrong: "nonce must be 16 bytes as base64url, which are 22 characters" },
  }),
);

const options = { deviceName: DeviceName, version: Version, lang: Lang, nonce: Nonce };

export const VerifyRequest = Type.Object({ key: KeyText, deviceId: DeviceId, game: GameName, ...options });
export type VerifyRequest = Static<typeof VerifyRequest>;
/** The same in a path, where the parts have another order. */
export const PreviewRequest = Type.Object({ key: KeyText, game: GameName, deviceId: DeviceId });
export const PreviewQuery = Type.Object(options);

/** Null and "" mean left out. */
function optionalText(name: string, example: string, description: string) {
  const says = { wrong: `${name} must be a text` };
  return Type.Optional(Type.Union([Type.Null(), Type.String()], { examples: [example], description, says }));
}

/** Their places are the numbers in the database. */
export const verdictCodes = [
  "VALID",
  "NOT_FOUND",
  "REVOKED",
  "EXPIRED",
  "DEVICE_LIMIT_REACHED",
  "MAINTENANCE",
  "UPDATE_REQUIRED",
  "PAUSED",
  "DEVICE_BLOCKED",
] as const;
export const VerdictCode = oneOf(verdictCodes);
export type VerdictCode = Static<typeof VerdictCode>;

/** A connected device, as players see it. */
export const ReleasableDevice = Type.Object({
  ref: Type.String({ examples: ["o3Ck2YbN0cT8mJ1xQ4r7vw"] }),
  name: textOrNull("Pixel 8"),
  firstConnected: Instant,
  lastSeen: Type.String({
    format: "date",
    examples: ["2025-11-25"],
    description: "The UTC day of its last verification",
  }),
});

/** What a player may do about a key that is full (rules.md: Releases by players). */
export const ReleaseOffer = Type.Object({
  isAllowed: Type.Boolean({ description: "Whether players may free devices of this key" }),
  allowedAt: { ...InstantOrNull, description: "When the next one may be freed; null for now, or never" },
  devices: Type.Array(ReleasableDevice, { description: "Those that were unseen longest first" }),
});
export type ReleaseOffer = Static<typeof ReleaseOffer>;

export const ReleaseOfferOrNull = orNull(
  ReleaseOffer,
  "With DEVICE_LIMIT_REACHED: how the player can free a device. Null for a key of fewer than 12 characters",
);

/**
 * The response to "is this key good here?" (rules.md: Verdicts). The three figures are null for a key that does not
 * exist.
 */
export const Verdict = Type.Object({
  valid: Type.Boolean(),
  code: VerdictCode,
  message: Type.String({ examples: ["The key is valid on this device."] }),
  expiry: { ...InstantOrNull, description: "Null for a key that has not started, and while it is paused" },
  deviceLimit: orNull(Type.Integer()),
  currentDevices: orNull(Type.Integer()),
  proof: Type.Optional(
    Type.String({ description: "If a nonce was sent: the verdict, signed with an active key of the server" }),
  ),
  release: ReleaseOfferOrNull,
});
export type Verdict = Static<typeof Verdict>;

/** The GET form also says whether this device would take a free slot; it registers nothing. */
export const Preview = Type.Object({ ...Verdict.properties, canRegister: Type.Boolean() });
export type Preview = Static<typeof Preview>;
