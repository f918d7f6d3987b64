import { unknownGame } from "../catalogue/offers.ts";
import { type Clock, dayOf } from "../core/clock.ts";
import { deviceNameIn } from "../core/device-id.ts";
import { untilStarted } from "../core/key-time.ts";
import { busy, refuseIfAhead } from "../core/refusal.ts";
import type { Database, Unit } from "../db/contract.ts";
import { isHeard, type NewEvent, recordEvents } from "../facts/outbox-store.ts";
import { languageOf } from "../languages/languages.ts";
import type { Signer } from "../proof/signer.ts";
import { isSharedDeviceId } from "./device-rules.ts";
import type { KeyCache } from "./fast/key-cache.ts";
import type { Preview, ReleaseOffer, Verdict, VerdictCode, VerifyRequest } from "./schema.ts";
import type { Statistics } from "./statistics.ts";
import { connectDevice, createBatchedFind, findKey, isBeingDeleted } from "./store.ts";
import type { Throttle } from "./throttle.ts";
import {
  type Asker,
  assess,
  closedFor,
  describeVerdict,
  type Lookup,
  mayFind,
  textToFind,
  type VerifiableKey,
} from "./verdict.ts";

export type Verification = ReturnType<typeof createVerification>;

interface Dependencies {
  database: Database;
  cache: KeyCache;
  throttle: Pick<Throttle, "refuseGuess" | "watchNewDevice">;
  statistics: Statistics;
  clock: Pick<Clock, "now" | "isAhead">;
  prove: Signer["prove"];
  /** Starts the time of a key with its first device (keys/life). */
  startKey: (unit: Unit, keyId: number, first: { deviceId: string; at: number }) => Promise<void>;
  /** Resumes the keys whose pause is used up (keys/life). */
  endUsedUpPauses: () => Promise<void>;
  /** What players may do about full keys, and which devices give way to new ones (players/releases.ts). */
  releases: {
    offerFor: (text: string) => Promise<ReleaseOffer | null>;
    hasIdleDevice: (keyId: number, idleDays: number) => Promise<boolean>;
    freeIdleDevice: (unit: Unit, key: VerifiableKey, idleDays: number) => Promise<boolean>;
  };
}

/** Is this key good here? Every start of every game makes this call (rules.md: Verifying). */
export function createVerification({
  database,
  cache,
  throttle,
  statistics,
  clock,
  prove,
  startKey,
  endUsedUpPauses,
  releases,
}: Dependencies) {
  const { now } = clock;
  // Without a cache, as on several processes, every verification reads its key.
  const findCommitted = cache.places === 0 ? createBatchedFind(database.read) : findKey.bind(null, database.read);
  return { verify, preview };

  /**
   * Registers the device if the key has a free slot. `addressOf` returns the client's address and is called only where
   * it matters; `program` is the one that sent an API key. Throws `TOO_MANY_TRIES` while keys are being guessed from
   * there, or many devices connected to this key.
   */
  function verify(request: VerifyRequest, addressOf: () => string, program?: Asker): Verdict | Promise<Verdict> {
    const at = now();
    const lookup = lookupOf(request, request.deviceName, program);
    const key = cache.get(lookup, database.versionByOthers);
    // No promise where the key is cached, which is most of the traffic.
    if (key && mayFind(lookup, key)) return decide(key, lookup, at, addressOf);
    return find(lookup, addressOf).then((found) => decide(found, lookup, at, addressOf));
  }

  function decide(
    key: VerifiableKey | null,
    lookup: Lookup,
    at: number,
    addressOf: () => string,
  ): Verdict | Promise<Verdict> {
    const assessment = assess(key, lookup, at);
    if (key && assessment === "NEW_DEVICE") return connect(key.id, lookup, at, addressOf());
    if (key && assessment === "DEVICE_LIMIT_REACHED") return decideFull(key, lookup, at, addressOf());
    return conclude({ code: assessment as VerdictCode, key, isNewDevice: false }, lookup, at);
  }

  /** Replaces an idle device by this one, if there is one. */
  async function decideFull(key: VerifiableKey, lookup: Lookup, at: number, address: string): Promise<Verdict> {
    if (await hasIdleDevice(key)) return connect(key.id, lookup, at, address);
    return refuseFull({ code: "DEVICE_LIMIT_REACHED", key, isNewDevice: false }, lookup, at);
  }

  async function refuseFull(outcome: Outcome, lookup: Lookup, at: number): Promise<Verdict> {
    return { ...(await conclude(outcome, lookup, at)), release: await releases.offerFor(lookup.text) };
  }

  async function hasIdleDevice({ id, game: { idleDays } }: VerifiableKey): Promise<boolean> {
    return idleDays !== null && (await releases.hasIdleDevice(id, idleDays));
  }

  /**
   * The first device also starts a key that waits for it. The verdict is about the key as it is after the write, in the
   * same transaction: the key may have changed since it was read. Throws `CLOCK_AHEAD` if the key would start.
   */
  async function connect(keyId: number, lookup: Lookup, at: number, address: string): Promise<Verdict> {
    const { text, deviceId, deviceName } = lookup;
    const work = async (unit: Unit): Promise<Outcome> => {
      const device = { keyId, text, deviceId, deviceName, at };
      let connected = await connectDevice(unit, device, connectionHeard);
      let { key } = await findKey(unit.sql, lookup);
      const idleDays = key?.game.idleDays ?? null;
      const isFull = assess(key, lookup, at) === "DEVICE_LIMIT_REACHED";
      if (key && isFull && idleDays !== null && (await releases.freeIdleDevice(unit, key, idleDays))) {
        connected = await connectDevice(unit, device, connectionHeard);
        ({ key } = await findKey(unit.sql, lookup));
      }
      const isNewDevice = connected !== null;
      if (isNewDevice && key?.expiresAt === untilStarted) {
        refuseIfAhead(clock);
        await startKey(unit, keyId, { deviceId, at });
        ({ key } = await findKey(unit.sql, lookup));
      }
      const code = assess(key, lookup, at);
      if (code === "NEW_DEVICE") {
        if (await isBeingDeleted(unit.sql, keyId)) throw busy();
        throw new Error("connectDevice and assess disagree about a free slot.");
      }
      if (connected?.isHeard) await recordEvents(unit.sql, [deviceConnected(device, key?.resellerId ?? null)]);
      return { code, key, isNewDevice };
    };
    const transact = () => database.transaction(`key ${keyId}`, work);
    const outcome = lookup.program
      ? await transact()
      : await throttle.watchNewDevice({ keyId, deviceId, address }, transact);
    return outcome.code === "DEVICE_LIMIT_REACHED" ? refuseFull(outcome, lookup, at) : conclude(outcome, lookup, at);
  }

  function conclude({ code, key, isNewDevice }: Outcome, lookup: Lookup, at: number): Verdict | Promise<Verdict> {
    statistics.count({ code, key, text: lookup.text, deviceId: lookup.deviceId, isNewDevice, at });
    see(key, lookup, at);
    return withProof(describeVerdict(code, key, lookup.language), key, lookup, at);
  }

  /** Without a nonce the verdict stays as it is. */
  function withProof<Told extends Verdict>(told: Told, key: VerifiableKey | null, { asked }: Lookup, at: number) {
    if (!asked) return told;
    const { isConnected = false, leaseHours = 0 } = key ?? {};
    return prove(told, asked, { at, isConnected, leaseHours });
  }

  /**
   * Collects that a connected device was seen, and its new name if it has one. The cache keeps the day, so that most
   * verifications collect nothing. After a new name it forgets the key until the name is written.
   */
  function see(key: VerifiableKey | null, lookup: Lookup, at: number): void {
    const day = dayOf(at);
    if (!key?.isConnected || (key.lastSeenDay >= day && key.isNameKept)) return;
    const { deviceId, deviceName } = lookup;
    const name = key.isNameKept ? null : deviceNameIn(deviceName);
    const isTaken = statistics.see({ keyId: key.id, deviceId, day, name });
    if (!key.isNameKept) cache.evict([key.id]);
    else if (isTaken) cache.keepSeen(lookup, day);
  }

  /** Says what `verify` would, and registers nothing. */
  async function preview(request: VerifyRequest, addressOf: () => string, program?: Asker): Promise<Preview> {
    const at = now();
    const lookup = lookupOf(request, null, program);
    const cached = cache.get(lookup, database.versionByOthers);
    const key = cached && mayFind(lookup, cached) ? cached : await find(lookup, addressOf);
    see(key, lookup, at);
    const assessment = assess(key, lookup, at);
    const isFull = key !== null && assessment === "DEVICE_LIMIT_REACHED";
    const canRegister = assessment === "NEW_DEVICE" || (isFull && (await hasIdleDevice(key)));
    const release = isFull && !canRegister ? await releases.offerFor(lookup.text) : null;
    const verdict = describeVerdict(canRegister ? "VALID" : assessment, key, lookup.language, release);
    return withProof({ ...verdict, canRegister }, key, lookup, at);
  }

  /**
   * A device that is not connected may be guessing, and so may one that sends a shared id: the cache does not keep its
   * keys.
   */
  function find(lookup: Lookup, addressOf: () => string): Promise<VerifiableKey | null> {
    const readAt = cache.time;
    // Without a cache the read may take longer than the client waits, and then its address would be unknown.
    if (cache.places === 0) addressOf();
    return findCommitted(lookup).then(({ isGame, key: committed }) => {
      if (!isGame) throw unknownGame();
      if (isUsedUp(committed)) return endUsedUpPauses().then(() => find(lookup, addressOf));
      const key = committed && mayFind(lookup, committed) ? withCurrentName(committed, lookup) : null;
      if (key?.isConnected && !isSharedDeviceId(lookup.deviceId)) {
        if (closedFor(key.game, lookup.version)) return key;
        cache.keep(lookup, key, readAt);
        return key;
      }
      const refusal = throttle.refuseGuess(lookup.text, key !== null, addressOf, lookup.program);
      return refusal ? refusal.then(() => key) : key;
    });
  }

  /** While the clock is ahead, no pause ends. */
  function isUsedUp(key: VerifiableKey | null): boolean {
    return key !== null && key.pauseEndsAt !== null && key.pauseEndsAt <= now() && !clock.isAhead();
  }

  /** The name in the database is not the last one that the device sent while another waits to be written. */
  function withCurrentName(key: VerifiableKey, { deviceId, deviceName }: Lookup): VerifiableKey {
    const isOld = deviceName !== null && statistics.hasNewName({ keyId: key.id, deviceId });
    return isOld ? { ...key, isNameKept: false } : key;
  }
}

const connectionHeard = isHeard("device.connected");

function deviceConnected(
  { keyId, deviceId, deviceName, at }: { keyId: number; deviceId: string; deviceName: string | null; at: number },
  resellerId: number | null,
): NewEvent {
  const name = deviceNameIn(deviceName);
  const data = { keyId, deviceId, ...(name !== null && { deviceName: name }) };
  return { type: "device.connected", resellerId, at, data };
}

interface Outcome {
  code: VerdictCode;
  key: VerifiableKey | null;
  isNewDevice: boolean;
}

function lookupOf(request: VerifyRequest, deviceName: string | null = null, program?: Asker): Lookup {
  const { key, game, deviceId, version = null, lang, nonce } = request;
  const asked = nonce ? { nonce, game, key, deviceId } : undefined;
  const language = (lang && languageOf(lang)) || "en";
  return { text: textToFind(key), game, deviceId, version, deviceName, language, asked, program };
}
