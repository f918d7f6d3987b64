/*
 * Latchkey SDK for TypeScript: browsers, Unity WebGL, Node 20, Bun, React Native. One file, no dependency. MIT license.
 *
 *   import { indexedDbStore, open } from "./latchkey.ts";
 *   const latchkey = await open({
 *     addresses: ["https://keys.example"],
 *     game: "PUBG MOBILE",
 *     pins, // [{ kid, publicKey }]: active and next of /.well-known/latchkey-keys
 *     store: indexedDbStore(),
 *   });
 *   // At the start, and every minute while playing.
 *   async function play(key) {
 *     const { state, code, message, release } = await latchkey.check(key);
 *     if (state === "PLAY" || state === "PLAY_OFFLINE") {
 *       run({ isOffline: state === "PLAY_OFFLINE" && code !== "NOT_ASKED" });
 *       setTimeout(() => play(key), 60_000);
 *     } else if (state === "REFUSED") {
 *       stop(message); // says why; with UPDATE_REQUIRED, show the update too
 *       // With DEVICE_LIMIT_REACHED: latchkey.release(ref) of the player's choice, then play(key).
 *       if (release?.isAllowed) offer(release.devices);
 *     } else {
 *       stop(message ?? "The server cannot be reached.", "Try again");
 *     }
 *   }
 *
 * Ed25519 and SHA-512 come from WebCrypto (Chrome 137, Firefox 129, Safari 17, Node 20, Bun; on web pages only over
 * https). React Native has neither: pass `system: { verify, sha512, randomBytes }` made with @noble/curves and
 * @noble/hashes, which are audited and maintained.
 *
 * The device id is made of a random id in IndexedDB, or in your store where there is none. React Native on Android can
 * pass `deviceId: await deviceId(game, androidId)`, which outlasts a reinstall. A game that is out keeps its ids:
 * `open` prefers a source that it finds stored.
 */

export const version = "1.0.0";

export interface Options {
  /** Such as https://keys.example. They are tried in this order. */
  addresses: string[];
  /** Never change it, not even when the game is renamed: device ids and stored proofs depend on it. */
  game: string;
  /** The signing keys that this build trusts: those that were active and next when it was made. */
  pins: Pin[];
  store: Store;
  /**
   * Made with `deviceId(game, source)` where the platform has a source. Left out, the source is a stored random id. A
   * source that is already stored stays in use, so that a build that begins to pass one takes no second slot.
   */
  deviceId?: string;
  deviceName?: string;
  /** The version of the game. */
  version?: string;
  /** The language of messages, such as pt-BR. */
  lang?: string;
  /** Replaces parts of the platform, for React Native and tests. */
  system?: Partial<System>;
}

export interface Pin {
  kid: string;
  /** 32 bytes as base64url. */
  publicKey: string;
}

/** Keeps texts from one start of the game to the next. What it throws is ignored, so a full phone can play. */
export interface Store {
  get(name: string): string | null | undefined | Promise<string | null | undefined>;
  set(name: string, text: string): void | Promise<void>;
  remove(name: string): void | Promise<void>;
}

export interface Verdict {
  /**
   * PLAY: the last attempt brought a valid proof. PLAY_OFFLINE: a stored proof still counts. REFUSED: the server
   * refuses the key, and has signed that. UNKNOWN: none of these; let the player try again.
   */
  state: "PLAY" | "PLAY_OFFLINE" | "REFUSED" | "UNKNOWN";
  /**
   * Null where no server has responded. With PLAY_OFFLINE, the code of the last attempt, or NOT_ASKED until the first
   * for this key since `open` has ended: do not show "offline" before.
   */
  code: string | null;
  /** May be shown to the player. */
  message: string | null;
  /** The end of the key, in Unix seconds. */
  until: number | null;
  /** Which devices the player may release, where the key has no free slot. */
  release: Release | null;
}

export interface Release {
  isAllowed: boolean;
  allowedAt: string | null;
  devices: { ref: string; name: string | null; firstConnected: string; lastSeen: string }[];
}

export interface Released {
  isReleased: boolean;
  code: string | null;
  message: string | null;
  /** When the player may release the next device. */
  allowedAt: string | null;
}

/** What the SDK needs of its platform. */
export interface System {
  /** POSTs JSON, follows no redirect, and returns status 0 where there is no response in time. */
  send(request: { url: string; body: string; seconds: number }): Promise<Response>;
  /** The clock, in Unix seconds. */
  now(): number;
  /** Seconds since any fixed point, whatever happens to the clock. */
  uptime(): number;
  /** From 0 up to but not including 1. */
  random(): number;
  randomBytes(count: number): Uint8Array;
  /** Runs a task without waiting for it. */
  background(task: () => Promise<void>): void;
  sha512(bytes: Uint8Array): Promise<Uint8Array> | Uint8Array;
  /** Ed25519. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> | boolean;
}

export interface Response {
  status: number;
  body: string;
  /** The header Retry-After, in seconds. */
  retryAfter: number | null;
}

/** The signed part of a verdict. */
export interface Payload {
  n: string;
  bind: string;
  valid: boolean;
  code: string;
  iat: number;
  exp: number | null;
  until: number | null;
}

const secondsToConnect = 4;
const secondsForAllAddresses = 10;
const secondsToWaitMax = 60;
const secondsBetweenRefreshes = 60;
/** How far the clock may be behind or past the lease. */
const secondsOfTolerance = 300;

const proofsItem = "latchkey.proofs";
const sourceItem = "latchkey.device";

/** The code of PLAY_OFFLINE before a first attempt has ended. */
const notAsked = "NOT_ASKED";

/** Throws where the pins, the device id or the platform are unusable. */
export async function open(options: Options): Promise<Latchkey> {
  const system = { ...platform, ...options.system };
  for (const { kid, publicKey } of options.pins) {
    const bytes = fromBase64Url(publicKey);
    if (bytes?.length !== 32) throw new Error(`The public key ${kid} is not 32 bytes of base64url.`);
    await system.verify(bytes, new Uint8Array(), new Uint8Array(64));
  }
  const id = await deviceIdInUse(options, system);
  if (isPlaceholder(id)) throw new Error("This device id is a placeholder that many devices share.");
  return new Latchkey(options, system, id, readProofs(await tried(() => options.store.get(proofsItem))));
}

/**
 * A device id from what the platform knows a device by, which is not sent. Throws if that is empty or a placeholder
 * that many devices share.
 */
export async function deviceId(game: string, source: string, system: Pick<System, "sha512"> = platform) {
  if (isPlaceholder(source)) throw new Error("This source of a device id is a placeholder that many devices share.");
  return `d1.${toBase64Url((await system.sha512(utf8(`latchkey-device\n${game}\n${source}`))).slice(0, 16))}`;
}

export class Latchkey {
  private key: string | null = null;
  /** By bind. */
  private readonly attempts = new Map<string, Attempt>();
  /** After no response: for every key. */
  private readonly outage: Wait = { ...noWait };
  /** After a 4xx: for the key that was asked, by bind. */
  private readonly refusals = new Map<string, Wait>();

  constructor(
    private readonly options: Options,
    private readonly system: System,
    readonly deviceId: string,
    private readonly proofs: Map<string, StoredProof>,
  ) {}

  /** Whether the key is good on this device. While a lease is running, this needs no network and returns at once. */
  async check(key: string): Promise<Verdict> {
    const { system, attempts } = this;
    this.key = key;
    const bind = await this.bindOf(key);
    await this.noteTime();
    const stored = await this.storedProof(bind);
    const attempt = attempts.get(bind);
    const wait = [this.refusals.get(bind), this.outage].find((each) => each && system.uptime() < each.until);
    if (stored && system.now() <= stored.exp) {
      if (!wait && (!attempt || system.uptime() - attempt.at >= secondsBetweenRefreshes)) {
        this.begin(bind);
        system.background(async () => {
          await this.attempt(key, bind);
        });
      }
      return attempt?.isProven ? verdict("PLAY", stored) : offline(stored, attempt);
    }
    return wait ? this.withoutProof(wait, stored, attempt) : this.attempt(key, bind);
  }

  /** Frees the slot of a device that the last check listed in `release`. Check again afterwards. */
  async release(ref: string): Promise<Released> {
    if (this.key === null) throw new Error("Check a key before you release one of its devices.");
    const { game, lang } = this.options;
    const { answer, last } = await this.post("/api/verify/release", { key: this.key, game, ref, lang }, isFinal);
    const { code, message, allowedAt } = fieldsOf(last);
    const isReleased = answer?.status === 200;
    return { isReleased, code: isReleased ? null : text(code), message: text(message), allowedAt: text(allowedAt) };
  }

  /** Removes all proofs, for a player who signs out. The device id stays. */
  async forget(): Promise<void> {
    this.key = null;
    this.attempts.clear();
    this.proofs.clear();
    await this.save();
  }

  private begin(bind: string): Attempt {
    const attempt = { isProven: false, code: notAsked, ...this.attempts.get(bind), at: this.system.uptime() };
    this.attempts.set(bind, attempt);
    return attempt;
  }

  /** Asks the server. */
  private async attempt(key: string, bind: string): Promise<Verdict> {
    const { system, options } = this;
    const attempt = this.begin(bind);
    const nonce = toBase64Url(system.randomBytes(16));
    const { game, deviceName, version, lang } = options;
    const body = { key, game, deviceId: this.deviceId, nonce, deviceName, version, lang };
    let payload: Payload | null = null;
    const { answer, last, retryAfter } = await this.post("/api/verify", body, async (response) => {
      if (response.status !== 200) return isFinal(response);
      payload = await readProof(options.pins, fieldsOf(response).proof, bind, nonce, system);
      return payload !== null;
    });
    attempt.isProven = false;
    if (answer && payload) return this.accept(answer, payload, attempt);

    const { code, message } = last && last.status >= 400 ? fieldsOf(last) : {};
    attempt.code = text(code);
    const wait = answer ? (this.refusals.get(bind) ?? { ...noWait }) : this.outage;
    if (answer) this.refusals.set(bind, wait);
    wait.failures += 1;
    const longest = Math.min(secondsToWaitMax, 2 ** (wait.failures - 1));
    wait.until = system.uptime() + (retryAfter ?? system.random() * longest);
    wait.code = attempt.code;
    wait.message = text(message);
    return this.withoutProof(wait, await this.storedProof(bind), attempt);
  }

  private async accept(answer: Response, payload: Payload, attempt: Attempt): Promise<Verdict> {
    const { bind, valid, code, exp, iat } = payload;
    const { message, release, proof } = fieldsOf(answer);
    Object.assign(this.outage, noWait);
    this.refusals.delete(bind);
    attempt.isProven = valid;
    attempt.code = code;
    // A player who has signed out meanwhile has no attempt any more.
    if (this.attempts.get(bind) === attempt) {
      if (!valid) this.proofs.delete(bind);
      else if (exp !== null) this.proofs.set(bind, { proof: proof as string, seen: iat });
      await this.save();
    }
    const state = valid ? "PLAY" : "REFUSED";
    return { ...verdict(state, payload), message: text(message), release: (release as Release | undefined) ?? null };
  }

  private withoutProof(wait: Wait, stored: Payload | null, attempt: Attempt | undefined): Verdict {
    if (wait === this.outage && stored) return offline(stored, attempt);
    const { code, message } = wait;
    return { state: "UNKNOWN", code, message, until: null, release: null };
  }

  /** Tries the addresses in order, until one returns an answer. */
  private async post(path: string, fields: object, isAnswer: (response: Response) => boolean | Promise<boolean>) {
    const { system, options } = this;
    const body = JSON.stringify(fields);
    const end = system.uptime() + secondsForAllAddresses;
    let last: Response | null = null;
    let retryAfter: number | null = null;
    for (const [index, address] of options.addresses.entries()) {
      const left = end - system.uptime();
      if (left <= 0) break;
      // fetch does not say when it has connected, so an address that is followed by another has 4 s for everything.
      const seconds = index === options.addresses.length - 1 ? left : Math.min(secondsToConnect, left);
      last = await system.send({ url: address.replace(/\/+$/, "") + path, body, seconds });
      if (await isAnswer(last)) return { answer: last, last, retryAfter: last.retryAfter };
      if (last.retryAfter !== null) retryAfter = Math.max(retryAfter ?? 0, last.retryAfter);
    }
    return { answer: null, last, retryAfter };
  }

  /** What ties a proof to this game, key and device. */
  private async bindOf(key: string): Promise<string> {
    return bindOf(this.options.game, key, this.deviceId, this.system);
  }

  /** The stored proof of a bind, if it counts now. */
  private async storedProof(bind: string): Promise<(Payload & { exp: number }) | null> {
    const stored = this.proofs.get(bind);
    const payload = stored ? await readProof(this.options.pins, stored.proof, bind, null, this.system) : null;
    if (!stored || !payload?.valid || payload.exp === null) return null;
    const now = this.system.now();
    const counts = now <= payload.exp + secondsOfTolerance && now >= stored.seen - secondsOfTolerance;
    return counts ? { ...payload, exp: payload.exp } : null;
  }

  /** Keeps the highest time seen with each proof, so that setting the clock back does not lengthen a lease. */
  private async noteTime(): Promise<void> {
    const now = Math.floor(this.system.now());
    const behind = [...this.proofs.values()].filter(({ seen }) => seen < now);
    for (const stored of behind) stored.seen = now;
    if (behind.length > 0) await this.save();
  }

  private async save(): Promise<void> {
    const { store } = this.options;
    const lines = [...this.proofs].map(([bind, { seen, proof }]) => `${bind} ${seen} ${proof}`);
    // A full phone can still remove.
    await tried(() => (lines.length > 0 ? store.set(proofsItem, lines.join("\n")) : store.remove(proofsItem)));
  }
}

interface StoredProof {
  proof: string;
  seen: number;
}

/** When a key was last asked, whether the last attempt brought a valid proof, and that attempt's code. */
interface Attempt {
  at: number;
  isProven: boolean;
  code: string | null;
}

/** Failed attempts since the last that did not fail, until when (in uptime) no request is sent, and why. */
interface Wait {
  failures: number;
  until: number;
  code: string | null;
  message: string | null;
}

const noWait: Wait = { failures: 0, until: 0, code: null, message: null };

/** A call to the store, which may throw. Undefined if it does. */
async function tried<Result>(call: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}

/** Reads what `save` wrote: a line for each proof. */
function readProofs(text: string | null | undefined): Map<string, StoredProof> {
  const proofs = new Map<string, StoredProof>();
  for (const line of (text ?? "").split("\n")) {
    const [bind, seen, proof] = line.split(" ");
    if (bind && proof && /^\d{1,15}$/.test(seen ?? "")) proofs.set(bind, { proof, seen: Number(seen) });
  }
  return proofs;
}

function verdict(state: Verdict["state"], { code, until }: Pick<Verdict, "code" | "until">): Verdict {
  return { state, code, message: null, until, release: null };
}

function offline({ until }: Payload, attempt: Attempt | undefined): Verdict {
  return verdict("PLAY_OFFLINE", { code: attempt ? attempt.code : notAsked, until });
}

/**
 * A 4xx with a code is a response: another address would say the same. Anything else, such as the page of a proxy that
 * blocks the address, is as good as none.
 */
function isFinal(response: Response): boolean {
  const { status } = response;
  const { code, message } = fieldsOf(response);
  return status === 200 ? text(message) !== null : status >= 400 && status < 500 && text(code) !== null;
}

function fieldsOf(response: Response | null): Record<string, unknown> {
  const body = response ? parse(response.body) : null;
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** `game` and `deviceId` as they are sent. */
export async function bindOf(game: string, key: string, deviceId: string, system: Pick<System, "sha512"> = platform) {
  const plainKey = key.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "").replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return toBase64Url((await system.sha512(utf8(`lk1\n${game}\n${plainKey}\n${deviceId}`))).slice(0, 32));
}

/**
 * The payload of a proof, or null if it was not signed by a pinned key or is about another bind or nonce. The signature
 * comes first: nothing unsigned is parsed. A stored proof is read without a nonce.
 */
export async function readProof(
  pins: Pin[],
  proof: unknown,
  bind: string,
  nonce: string | null,
  system: Pick<System, "verify"> = platform,
): Promise<Payload | null> {
  const parts = typeof proof === "string" ? proof.split(".") : [];
  const [format, kid, content = "", signed = ""] = parts;
  const pin = pins.find((each) => each.kid === kid);
  const publicKey = pin && fromBase64Url(pin.publicKey);
  const signature = fromBase64Url(signed);
  const bytes = fromBase64Url(content);
  if (parts.length !== 4 || format !== "lk1" || !publicKey || !bytes || signature?.length !== 64) return null;
  if (!(await system.verify(publicKey, utf8(`lk1.${kid}.${content}`), signature))) return null;

  const payload = parse(new TextDecoder().decode(bytes)) as Payload | null;
  const isTime = (value: unknown) => value === null || Number.isSafeInteger(value);
  const isWhole =
    typeof payload?.valid === "boolean" &&
    typeof payload.code === "string" &&
    Number.isSafeInteger(payload.iat) &&
    isTime(payload.exp) &&
    isTime(payload.until);
  return isWhole && payload.bind === bind && (nonce === null || payload.n === nonce) ? payload : null;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const placeholders = ["null", "undefined", "unknown", "none", "n/a", "02:00:00:00:00:00", "9774d56d682e549c"];

/** Whether this is what a platform returns for a device that it cannot tell from others. */
function isPlaceholder(id: string): boolean {
  const plain = id.trim().toLowerCase();
  return placeholders.includes(plain) || /^(.?)\1*$/u.test(plain.replace(/[-:]/g, ""));
}

/**
 * A stored source comes first, then the id that the game passes, then a random source, made at the first start.
 * Browsers keep it in IndexedDB, whatever the game's own store is, where the API pages' sample keeps it too.
 */
async function deviceIdInUse({ game, deviceId: given, store: gameStore }: Options, system: System): Promise<string> {
  const isBrowser = typeof indexedDB !== "undefined";
  const store = isBrowser ? indexedDbStore() : gameStore;
  const item = isBrowser ? "source" : sourceItem;
  // Undefined where the store cannot be read. A source that it may have is then not replaced.
  const known = await tried(async () => (await store.get(item)) ?? "");
  if (known && !isPlaceholder(known)) return deviceId(game, known, system);
  if (given !== undefined) return given;
  const fresh = toBase64Url(system.randomBytes(16));
  if (known !== undefined) await tried(() => store.set(item, fresh));
  return deviceId(game, fresh, system);
}

/** A store for browsers. */
export function indexedDbStore(): Store {
  const done = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  let database: Promise<IDBDatabase> | undefined;
  // At the first call, because it throws where the browser allows no storage.
  const connect = () => {
    const opened = indexedDB.open("latchkey", 1);
    opened.onupgradeneeded = () => opened.result.createObjectStore("device");
    return done(opened);
  };
  const texts = async (mode: IDBTransactionMode) => {
    database ??= connect();
    return (await database).transaction("device", mode).objectStore("device");
  };
  return {
    get: async (name) => done<string | undefined>((await texts("readonly")).get(name)),
    set: async (name, text) => void (await done((await texts("readwrite")).put(text, name))),
    remove: async (name) => void (await done((await texts("readwrite")).delete(name))),
  };
}

/** Browsers, Node and Bun. */
export const platform: System = {
  async send({ url, body, seconds }) {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), seconds * 1000);
    try {
      const headers = { "content-type": "application/json" };
      const request = { method: "POST", headers, body, signal: end.signal, redirect: "error" as const };
      const response = await fetch(url, { ...request, cache: "no-store", credentials: "omit" });
      const wait = response.headers.get("retry-after") ?? "";
      const retryAfter = /^\d{1,9}$/.test(wait) ? Number(wait) : null;
      return { status: response.status, body: await response.text(), retryAfter };
    } catch {
      return { status: 0, body: "", retryAfter: null };
    } finally {
      clearTimeout(timer);
    }
  },
  now: () => Date.now() / 1000,
  uptime: () => performance.now() / 1000,
  random: Math.random,
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  background(task) {
    // Whatever stops a refresh, the next check finds out again.
    task().catch(() => {});
  },
  sha512: async (bytes) => new Uint8Array(await webCrypto().digest("SHA-512", bytes as BufferSource)),
  async verify(publicKey, message, signature) {
    const key = await webCrypto().importKey("raw", publicKey as BufferSource, "Ed25519", false, ["verify"]);
    return webCrypto().verify("Ed25519", key, signature as BufferSource, message as BufferSource);
  },
};

function webCrypto(): SubtleCrypto {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new Error("There is no WebCrypto here. Pass `system: { verify, sha512, randomBytes }`.");
  return subtle;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.slice(at, at + 3);
    const bits = (first << 16) | (second << 8) | third;
    const count = Math.min(4, bytes.length - at + 1);
    for (let place = 0; place < count; place++) text += digits[(bits >> (18 - 6 * place)) & 63];
  }
  return text;
}

/** Null for a text that is not base64url without padding. */
function fromBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  for (let at = 0, count = 0; at < text.length; at++) {
    bits = ((bits << 6) | digits.indexOf(text[at] as string)) & 0xffffff;
    if (at % 4 > 0) bytes[count++] = (bits >> (6 - 2 * (at % 4))) & 255;
  }
  return bytes;
}
