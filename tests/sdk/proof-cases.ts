import { active, base64Url, bindOf, bytesOf, deviceIdOf, next, nonceOf, previous, proofOf } from "./signing.ts";

export interface ProofCase {
  name: string;
  game: string;
  key: string;
  deviceId: string;
  nonce: string;
  proof: string;
  isGood: boolean;
}

const iat = 1_800_000_000;
const sent = {
  game: "PUBG MOBILE",
  key: "PBGM-A1B2C-D3E4F-G5H6I",
  deviceId: deviceIdOf("PUBG MOBILE", "an Android phone"),
  nonce: nonceOf("proofs"),
};
type Sent = typeof sent;

const payloadOf = ({ game, key, deviceId, nonce }: Sent) => ({
  n: nonce,
  bind: bindOf(game, key, deviceId),
  valid: true,
  code: "VALID",
  iat,
  exp: (iat + 86_400) as number | null,
  until: (iat + 2_592_000) as number | null,
  limit: 2 as number | null,
  used: 1 as number | null,
});

const usual = payloadOf(sent);
const usualProof = proofOf(usual);
const [format = "", kid = "", content = "", signature = ""] = usualProof.split(".");
const signed = Buffer.from(signature, "base64url");

const good = (name: string, changes: Partial<Sent>, proof?: string): ProofCase => {
  const all = { ...sent, ...changes };
  return { name, ...all, proof: proof ?? proofOf(payloadOf(all)), isGood: true };
};
const bad = (name: string, proof: string, changes: Partial<Sent> = {}): ProofCase => ({
  name,
  ...sent,
  ...changes,
  proof,
  isGood: false,
});

const { bind, ...withoutBind } = usual;
const { n, ...withoutNonce } = usual;
const { valid, ...withoutValid } = usual;
const { code, ...withoutCode } = usual;
const { iat: _, ...withoutIat } = usual;

/** The signature with one bit flipped in one of its bytes. */
const flipped = (at: number) => base64Url(signed.map((byte, index) => (index === at ? byte ^ 1 : byte)));

/** S plus the order of the group, which only a lenient verification accepts. */
function otherS(): string {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const half = [...signed.subarray(32)].reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) + order;
  const bytes = Array.from({ length: 32 }, (_, at) => Number((half >> BigInt(8 * at)) & 255n));
  return base64Url(Uint8Array.from([...signed.subarray(0, 32), ...bytes]));
}

export const proofCases: ProofCase[] = [
  good("a valid key", {}),
  good("signed by the next key", {}, proofOf(usual, next)),
  ...[
    "NOT_FOUND",
    "REVOKED",
    "PAUSED",
    "EXPIRED",
    "DEVICE_LIMIT_REACHED",
    "MAINTENANCE",
    "UPDATE_REQUIRED",
    "DEVICE_BLOCKED",
  ].map((code) => good(`a refusal: ${code}`, {}, proofOf({ ...usual, valid: false, code, exp: null }))),
  good("a refusal with a code of the future", {}, proofOf({ ...usual, valid: false, code: "OUT_OF_FUEL", exp: null })),
  good(
    "a refusal without figures",
    {},
    proofOf({ ...usual, valid: false, code: "NOT_FOUND", exp: null, until: null, limit: null, used: null }),
  ),
  good("no lease", {}, proofOf({ ...usual, exp: null })),
  good("a key that has no end", {}, proofOf({ ...usual, until: null })),
  good(
    "fields of the future in the payload",
    {},
    proofOf({ ...usual, seats: [1, { of: "many" }], note: 'a "quoted" \\ text' }),
  ),
  good("white space in the payload", {}, proofOf(JSON.stringify(usual, null, 2))),
  good("an escaped code", {}, proofOf(JSON.stringify(usual).replace("VALID", "\\u0056ALID"))),
  good("another order of fields", {}, proofOf(Object.fromEntries(Object.entries(usual).reverse()))),
  good("iat of another year", {}, proofOf({ ...usual, iat: 1, exp: 2 })),
  good("an alias of the game", { game: "PUBG" }),
  good("the game in lower case", { game: "pubg mobile" }),
  good("a game with letters outside ASCII", { game: "Щит и Меч — 剣と盾 🛡" }),
  good("a key in lower case", { key: "pbgm-a1b2c-d3e4f-g5h6i" }),
  good("the proof of the key in upper case", { key: "pbgm-a1b2c-d3e4f-g5h6i" }, usualProof),
  good("a key with spaces around it", { key: "  PBGM-A1B2C-D3E4F-G5H6I " }, usualProof),
  good("a key with tabs and lines around it", { key: "\t\r\nPBGM-A1B2C-D3E4F-G5H6I\r\n\t" }, usualProof),
  good("a key with spaces within it", { key: "PBGM A1B2C D3E4F G5H6I" }),
  good("letters outside ASCII keep their case", { key: "clé-straße-ключ-ı" }),
  good("a no-break space around the key stays", { key: "\u00a0PBGM-A1B2C-D3E4F-G5H6I" }),
  good("a key outside the basic plane", { key: "𝐏𝐁𝐆𝐌-🔑🔑🔑🔑" }),
  good("a device id of one's own", { deviceId: "Phone of Zoë / 7" }),
  good("a device id in upper case stays", { deviceId: "A3F1C9D2-PHONE" }),
  good("a device id with spaces around it keeps them", { deviceId: " a3f1c9d2 " }),
  good("another nonce", { nonce: nonceOf("another") }),

  bad("an empty proof", ""),
  bad("a word", "proof"),
  bad("another format", proofOf(usual, active, "lk2")),
  bad("the format in upper case", proofOf(usual, active, "LK1")),
  bad("another format before the same rest", `lk2.${kid}.${content}.${signature}`),
  bad("no format", `${kid}.${content}.${signature}`),
  bad("a fifth part", `${usualProof}.${signature}`),
  bad("a space before it", ` ${usualProof}`),
  bad("a line end after it", `${usualProof}\n`),
  bad("a key that is not pinned", proofOf(usual, previous)),
  bad("the name of a pinned key, signed by another", proofOf(usual, { ...previous, kid: active.kid })),
  bad("the name of the other pinned key", `${format}.${next.kid}.${content}.${signature}`),
  bad("no key", `${format}..${content}.${signature}`),
  bad("the key in upper case", proofOf(usual, { ...active, kid: active.kid.toUpperCase() })),
  bad("no signature", `${format}.${kid}.${content}.`),
  bad("only three parts", `${format}.${kid}.${content}`),
  bad("a signature of zeros", `${format}.${kid}.${content}.${base64Url(new Uint8Array(64))}`),
  bad("a random signature", `${format}.${kid}.${content}.${base64Url(bytesOf("signature", 64))}`),
  bad("a bit flipped in R", `${format}.${kid}.${content}.${flipped(0)}`),
  bad("a bit flipped in S", `${format}.${kid}.${content}.${flipped(33)}`),
  bad("S above the order of the group", `${format}.${kid}.${content}.${otherS()}`),
  bad("a signature that is cut", `${format}.${kid}.${content}.${base64Url(signed.subarray(0, 63))}`),
  bad(
    "a signature with one more byte",
    `${format}.${kid}.${content}.${base64Url(Buffer.concat([signed, Buffer.from([0])]))}`,
  ),
  bad("padding", `${usualProof}==`),
  bad("the signature in standard base64", `${format}.${kid}.${content}.${signature.replace(/[-_]/, "+")}`),
  bad("a signature over the payload alone", `${format}.${kid}.${content}.${active.sign(content)}`),
  bad("a signature over the decoded payload", `${format}.${kid}.${content}.${active.sign(JSON.stringify(usual))}`),
  bad("the payload of a refusal, changed to valid after it was signed", swapped({ valid: false }, { valid: true })),
  bad("a later exp, changed after it was signed", swapped({}, { exp: iat + 864_000 })),
  bad("another code, changed after it was signed", swapped({ valid: false, code: "REVOKED" }, { valid: false })),
  bad("another until, changed after it was signed", swapped({}, { until: null })),
  bad("another iat, changed after it was signed", swapped({}, { iat: iat + 1 })),
  bad("another nonce, changed after it was signed", swapped({ n: nonceOf("old") }, {})),
  bad("another bind, changed after it was signed", swapped({ bind: bindOf("FREE FIRE", sent.key, sent.deviceId) }, {})),
  bad("the nonce of another request", proofOf({ ...usual, n: nonceOf("old") })),
  bad("no nonce", proofOf(withoutNonce)),
  bad("a nonce that is null", proofOf({ ...usual, n: null })),
  bad("an empty nonce", proofOf({ ...usual, n: "" })),
  bad("the nonce with padding", proofOf({ ...usual, n: `${n}==` })),
  bad("the bind of another game", proofOf({ ...usual, bind: bindOf("FREE FIRE", sent.key, sent.deviceId) })),
  bad(
    "the bind of another key",
    proofOf({ ...usual, bind: bindOf(sent.game, "PBGM-ZZZZZ-D3E4F-G5H6I", sent.deviceId) }),
  ),
  bad(
    "the bind of another device",
    proofOf({ ...usual, bind: bindOf(sent.game, sent.key, "d1.AAAAAAAAAAAAAAAAAAAAAA") }),
  ),
  bad("no bind", proofOf(withoutBind)),
  bad("half a bind", proofOf({ ...usual, bind: bind.slice(0, 22) })),
  bad("the proof of the game's real name for its alias", usualProof, { game: "PUBG" }),
  bad("the proof of the game's alias for its real name", proofOf(payloadOf({ ...sent, game: "PUBG" }))),
  bad("the proof of the key without its inner spaces", usualProof, { key: "PBGM- A1B2C-D3E4F-G5H6I" }),
  bad("the proof of a normalised key", usualProof, { key: "ＰBGM-A1B2C-D3E4F-G5H6I" }),
  bad("ı is not I", proofOf(payloadOf({ ...sent, key: "I-KEY-I-KEY-I" })), { key: "ı-KEY-ı-KEY-ı" }),
  bad("ß is not SS", proofOf(payloadOf({ ...sent, key: "STRASSE-KEY-1" })), { key: "straße-key-1" }),
  bad("the proof of the device id in lower case", proofOf(payloadOf({ ...sent, deviceId: "a3f1" })), {
    deviceId: "A3F1",
  }),
  bad("a line end that moves between key and device", proofOf(payloadOf({ ...sent, key: "A\nB", deviceId: "C" })), {
    key: "A",
    deviceId: "C",
  }),
  bad("no valid", proofOf(withoutValid)),
  bad("valid as a text", proofOf({ ...usual, valid: "true" })),
  bad("valid as a number", proofOf({ ...usual, valid: 1 })),
  bad("no code", proofOf(withoutCode)),
  bad("a code that is a number", proofOf({ ...usual, code: 7 })),
  bad("no iat", proofOf(withoutIat)),
  bad("iat as a text", proofOf({ ...usual, iat: String(iat) })),
  bad("exp as a text", proofOf({ ...usual, exp: String(iat) })),
  bad("until as a text", proofOf({ ...usual, until: "2027-01-15T08:00:00.000Z" })),
  bad("exp with a fraction", proofOf({ ...usual, exp: iat + 0.5 })),
  bad("a payload that is a list", proofOf([usual])),
  bad("a payload that is null", proofOf("null")),
  bad("a payload that is not JSON", proofOf("valid")),
  bad("a payload that is cut", proofOf(JSON.stringify(usual).slice(0, -1))),
  bad("an empty payload", proofOf("")),
];

/** A proof of one payload with the content of another. */
function swapped(before: object, after: object): string {
  const [, , , signature] = proofOf({ ...usual, ...before }).split(".");
  const [format, kid, content] = proofOf({ ...usual, ...after }).split(".");
  return `${format}.${kid}.${content}.${signature}`;
}

export const deviceCases: { game: string; source: string; deviceId: string | null }[] = [
  ...[
    ["PUBG MOBILE", "9774d56d682e549d"],
    ["FREE FIRE", "9774d56d682e549d"],
    ["PUBG", "9774d56d682e549d"],
    ["pubg mobile", "9774d56d682e549d"],
    ["PUBG MOBILE", "9774D56D682E549D"],
    ["PUBG MOBILE", "8e2c5a40-9b1f-4c52-8a0e-2f6f1d3b7c11"],
    ["PUBG MOBILE", "{8E2C5A40-9B1F-4C52-8A0E-2F6F1D3B7C11}"],
    ["PUBG MOBILE", " spaces stay "],
    ["PUBG MOBILE", "two\nlines"],
    ["PUBG MOBILE", "Zoë's phone 📱"],
    ["Щит и Меч — 剣と盾 🛡", "02:00:00:00:00:01"],
    ["PUBG MOBILE", "x".repeat(300).concat("y")],
    ["", "a device without a game"],
    ["PUBG MOBILE", "nullnull-1"],
  ].map(([game = "", source = ""]) => ({ game, source, deviceId: deviceIdOf(game, source) })),
  ...[
    "",
    "   ",
    "null",
    "NULL",
    " undefined ",
    "Unknown",
    "none",
    "N/A",
    "02:00:00:00:00:00",
    "9774d56d682e549c",
    "9774D56D682E549C",
    "0",
    "0000000000000000",
    "00000000-0000-0000-0000-000000000000",
    "00:00:00:00:00:00",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "FFffFFff",
    "------",
    "xxxxxxxx",
  ].map((source) => ({ game: "PUBG MOBILE", source, deviceId: null })),
];
