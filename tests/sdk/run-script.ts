import { active, bindOf, deviceIdOf, nonceOf, pinOf, proofOf, type SigningKey } from "./signing.ts";

/* The shape of a scripted sequence of vectors.json, and what one is written with. */

/** What a server, or the lack of one, does with one request. */
export interface ScriptedResponse {
  /** 0 for no response. */
  status: number;
  body: string;
  /** The header Retry-After. */
  retryAfter: string | null;
  /** How many seconds pass. */
  takes: number;
}

export type Expected = Record<string, unknown>;

export interface Step {
  do: "check" | "release" | "forget" | "open";
  /** The clock, in Unix seconds, and the seconds since the device was started. */
  now: number;
  uptime: number;
  /** For check. */
  key?: string;
  /** The random bytes that this step's request, if any, is made with. */
  nonce?: string;
  /** For release. */
  ref?: string;
  /** For open: the game is started again, with the same store. */
  pins?: { kid: string; publicKey: string }[];
  /** One for each request that is sent, those of a refresh in the background too. */
  responses?: ScriptedResponse[];
  /** The addresses of these requests. */
  sends?: string[];
  /** The fields of each of these requests. */
  body?: Record<string, string>;
  expect?: Expected;
}

export interface Run {
  name: string;
  addresses: string[];
  game: string;
  deviceId: string;
  deviceName?: string;
  version?: string;
  lang?: string;
  /** What the source of randomness for waits returns. */
  random: number;
  /** What is stored at the start. */
  stored: Record<string, string>;
  /** Which of the store's calls always throws. */
  store?: "refusesGet" | "refusesSet" | "refusesRemove";
  steps: Step[];
}

export const start = 1_800_000_000;
export const until = start + 2_592_000;
export const lease = 86_400;
export const game = "PUBG MOBILE";
export const key = "PBGM-A1B2C-D3E4F-G5H6I";
export const deviceId = deviceIdOf(game, "an Android phone");
const oneAddress = ["https://keys.example"];

/** What a response may depend on. */
interface Asked {
  game: string;
  key: string;
  deviceId: string;
  nonce: string;
  now: number;
}

export type Responder = (asked: Asked) => Partial<ScriptedResponse>;

interface Draft {
  /** Seconds since the start, by a clock that nobody has changed. */
  at?: number;
  /** How far the clock is wrong. */
  clock?: number;
  key?: string;
  /** The id that is sent, if not the run's. */
  deviceId?: string;
  responses?: Responder[];
  /** How many requests are sent, if not as many as there are responses. */
  sent?: number;
  /** Before which of the addresses the step starts. */
  expect: Expected;
}

export type StepDraft = (run: Omit<Run, "steps">, index: number, lastKey: string) => Step;

const valuesOf = (fields: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));

const moment = ({ at = 0, clock = 0 }: { at?: number; clock?: number }) => ({
  now: start + at + clock,
  uptime: 1_000 + at,
});

const responsesOf = (responders: Responder[], asked: Asked): ScriptedResponse[] =>
  responders.map((respond) => ({ status: 0, body: "", retryAfter: null, takes: 0, ...respond(asked) }));

export function check(draft: Draft): StepDraft {
  const { responses = [], key: sentKey = key, sent = responses.length, expect } = draft;
  return (run, index) => {
    const { addresses, game, deviceName, version, lang } = run;
    const deviceId = draft.deviceId ?? run.deviceId;
    const nonce = nonceOf(`${run.name} ${index}`);
    // The server's clock is right, whatever the device's is.
    const asked = { game, key: sentKey, deviceId, nonce, now: start + Math.floor(draft.at ?? 0) };
    const body = valuesOf({ key: sentKey, game, deviceId, nonce, deviceName, version, lang });
    return {
      do: "check",
      ...moment(draft),
      key: sentKey,
      nonce,
      responses: responsesOf(responses, asked),
      sends: addresses.slice(0, sent).map((address) => `${address.replace(/\/+$/, "")}/api/verify`),
      ...(sent > 0 && { body }),
      expect: { message: null, until: null, release: null, ...expect },
    };
  };
}

export function release(draft: Draft & { ref?: string }): StepDraft {
  const { responses = [], ref = "d7Kq2m", sent = responses.length, expect } = draft;
  return ({ addresses, game, deviceId, lang }, _, lastKey) => ({
    do: "release",
    ...moment(draft),
    ref,
    responses: responsesOf(responses, { game, key: lastKey, deviceId, nonce: "", now: start }),
    sends: addresses.slice(0, sent).map((address) => `${address}/api/verify/release`),
    body: valuesOf({ key: lastKey, game, ref, lang }),
    expect: { code: null, message: null, allowedAt: null, ...expect },
  });
}

export const forget: StepDraft = () => ({ do: "forget", ...moment({}) });

export const restart =
  (pins?: SigningKey[]): StepDraft =>
  () => ({ do: "open", ...moment({}), ...(pins && { pins: pins.map(pinOf) }) });

export function run(name: string, steps: StepDraft[], changes: Partial<Run> = {}): Run {
  const head = { name, addresses: oneAddress, game, deviceId, random: 0.5, stored: {}, ...changes };
  let lastKey = key;
  const written = steps.map((step, index) => {
    const made = step(head, index, lastKey);
    lastKey = made.key ?? lastKey;
    return made;
  });
  return { ...head, steps: written };
}

/** A payload as the server makes it. */
export function payloadFor({ game, key, deviceId, nonce, now }: Asked, changes: object = {}) {
  const bind = bindOf(game, key, deviceId);
  return {
    n: nonce,
    bind,
    valid: true,
    code: "VALID",
    iat: now,
    exp: now + lease,
    until,
    limit: 2,
    used: 1,
    ...changes,
  };
}

const validMessage = "The key is valid on this device.";

interface Signed {
  payload?: object;
  by?: SigningKey;
  fields?: object;
  /** Changes the proof after it was made. */
  spoil?: (proof: string) => unknown;
}

/** A 200 with a proof. */
export function answers({ payload = {}, by = active, fields = {}, spoil = (proof) => proof }: Signed = {}): Responder {
  return (asked) => {
    const { valid, code } = payloadFor(asked, payload);
    const proof = spoil(proofOf(payloadFor(asked, payload), by));
    return {
      status: 200,
      body: JSON.stringify({ valid, code, message: validMessage, release: null, ...fields, proof }),
    };
  };
}

export function refuses(code: string, message = "No.", fields: object = {}): Responder {
  return answers({ payload: { valid: false, code, exp: null }, fields: { message, ...fields } });
}

export const fails =
  (status: number, code = "BUSY", retryAfter: string | null = null, message = "Please try again."): Responder =>
  () => ({ status, body: JSON.stringify({ valid: false, code, message }), retryAfter });

export const says =
  (status: number, body: string, more: Partial<ScriptedResponse> = {}): Responder =>
  () => ({ status, body, ...more });

export const silence: Responder = () => ({});
export const silentFor =
  (takes: number): Responder =>
  () => ({ takes });

export const plays: Expected = { state: "PLAY", code: "VALID", message: validMessage, until };
/** Without a request: the verdict of the stored proof has no message. */
export const playsAtOnce: Expected = { state: "PLAY", code: "VALID", until };
/** After an attempt that ended with this code. */
export const playsOfflineAfter = (code: string | null): Expected => ({ state: "PLAY_OFFLINE", code, until });
export const playsOffline = playsOfflineAfter(null);
/** Before the first attempt has ended. */
export const notAsked = playsOfflineAfter("NOT_ASKED");
export const unknown: Expected = { state: "UNKNOWN", code: null };
export const unknownFor = (code: string, message = "Please try again."): Expected => ({
  state: "UNKNOWN",
  code,
  message,
});
export const refused = (code: string, message = "No."): Expected => ({ state: "REFUSED", code, message, until });

/** The step that most runs begin with. */
export const valid = check({ responses: [answers()], expect: plays });
/** Past the lease, but within the tolerance, so that a check asks and may fall back on the stored proof. */
export const late = lease + 100;
