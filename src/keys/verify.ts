import { isoOf, type Now } from "../core/clock.ts";
import type { Database, Sql } from "../db/contract.ts";
import * as store from "./devices/device-store.ts";
import { gameNamed } from "./games.ts";
import type { Guesses } from "./guesses.ts";
import type { Preview, Verdict, VerdictCode, VerifyRequest } from "./schema.ts";
import type { Standings } from "./standings.ts";
import { statusOf } from "./status.ts";

/** Is this key good here? The call that every start of every game makes (rules.md: Verifying). */
export interface Verify {
  /**
   * A device that is remembered is answered at once, and so is a text that is known to be no key; another device that is connected by a look-up.
   * Only a new one writes, and takes one slot. `addressOf` says who asks, where that matters. Throws `TOO_MANY_TRIES` when keys are being
   * guessed from there.
   */
  verify(request: VerifyRequest, addressOf: () => string): Verdict | Promise<Verdict>;
  /** The same question, registering nothing. */
  preview(request: VerifyRequest, addressOf: () => string): Preview | Promise<Preview>;
}

export function createVerify({
  database,
  standings,
  guesses,
  statistics,
  now,
}: {
  database: Database;
  standings: Standings;
  guesses: Guesses;
  statistics: Statistics;
  now: Now;
}): Verify {
  // Where the database is a server, a second statement is a second way there and back.
  const connectDevice = database.file === null ? store.connectDevice : store.connectDeviceInSteps;

  return {
    // What is remembered needs no promise, and each of them costs as much as the look-up.
    verify(request, addressOf) {
      const at = now();
      const { deviceId } = request;
      const keyText = request.key.trim();
      const standing = standings.remembered(keyText, deviceId);
      if (standing === "no key") {
        const tell = () => counted(noKey, { standing: null, deviceId, isNewDevice: false, at });
        return unlessGuessed(keyText, addressOf, tell);
      }
      if (!isConnected(standing, request)) return register(request, addressOf, at);
      return counted(verdictOn(standing, request, at), { standing, deviceId, isNewDevice: false, at });
    },

    preview(request, addressOf) {
      const at = now();
      const keyText = request.key.trim();
      const standing = standings.remembered(keyText, request.deviceId);
      if (standing === "no key") return unlessGuessed(keyText, addressOf, () => previewOf(null, request, at));
      if (isConnected(standing, request)) return previewOf(standing, request, at);
      return standingFor(request, addressOf).then((found) => previewOf(found, request, at));
    },
  };

  async function register(request: VerifyRequest, addressOf: () => string, at: number): Promise<Verdict> {
    const readAt = database.instant();
    const standing = await standingFor(request, addressOf);
    const { deviceId } = request;
    if (!isNewcomer(standing, request, at)) {
      return counted(verdictOn(standing, request, at), { standing, deviceId, isNewDevice: false, at });
    }
    const verdict = await standings.changing([standing.id], () =>
      database.beside({ id: standing.id, readAt }, (sql, isAsRead) =>
        isAsRead ? connectAsRead(sql, standing, request, at) : connect(sql, standing, request, at),
      ),
    );
    return counted(verdict, { standing, deviceId, isNewDevice: true, at });
  }

  function counted(verdict: Verdict, { standing, deviceId, isNewDevice, at }: Asked): Verdict {
    const key = verdict.code === "NOT_FOUND" ? null : standing;
    statistics.count({ code: verdict.code, key, deviceId, isNewDevice, at });
    return verdict;
  }

  /** What is told of a text that is no key. Throws `TOO_MANY_TRIES`. */
  function unlessGuessed<Answer>(
    keyText: string,
    addressOf: () => string,
    tell: () => Answer,
  ): Answer | Promise<Answer> {
    const refusing = guesses.refuseGuess({ addressOf, keyText, isFound: false });
    return refusing ? refusing.then(tell) : tell();
  }

  /** Of a device that is not remembered. Throws `TOO_MANY_TRIES`. */
  function standingFor(request: VerifyRequest, addressOf: () => string): Promise<store.StandingRow | null> {
    return standings.of(request.key.trim(), request.deviceId).then((standing) => {
      if (isConnected(standing, request)) return standing;
      const refusing = refuseGuess(standing, request, addressOf);
      return refusing ? refusing.then(() => standing) : standing;
    });
  }

  /** Connects a newcomer whose standing still holds as it was read. */
  function connectAsRead(sql: Sql, standing: store.StandingRow, request: VerifyRequest, at: number): Promise<Verdict> {
    const inserted = store.insertDevice(sql, { keyId: standing.id, deviceId: request.deviceId, at });
    return inserted.then(() => told("VALID", standing, standing.deviceCount + 1));
  }

  async function connect(sql: Sql, standing: store.StandingRow, request: VerifyRequest, at: number): Promise<Verdict> {
    const { deviceId } = request;
    const deviceCount = await connectDevice(sql, { keyId: standing.id, deviceId, at });
    if (deviceCount !== null) return told("VALID", standing, deviceCount);
    // Since the first look the key was revoked, its last slot was taken, or the device has connected by another request.
    const latest = await store.standingOf(sql, request.key.trim().toLowerCase(), deviceId);
    // Whatever the reason is, a device that was not connected is not told that the key is good.
    const isStillFree = latest !== null && isNewcomer(latest, request, at);
    return verdictOn(isStillFree ? { ...latest, deviceCount: latest.deviceLimit } : latest, request, at);
  }

  function refuseGuess(
    standing: store.StandingRow | null,
    request: VerifyRequest,
    addressOf: () => string,
  ): void | Promise<void> {
    return guesses.refuseGuess({ addressOf, keyText: request.key.trim(), isFound: isOfGame(standing, request) });
  }
}

/** What this calls of verify/statistics.ts, which is in a later slice. */
interface Statistics {
  count(verdict: {
    code: VerdictCode;
    key: { id: number; resellerId: number | null } | null;
    deviceId: string;
    isNewDevice: boolean;
    at: number;
  }): void;
}

interface Asked {
  standing: store.StandingRow | null;
  deviceId: string;
  isNewDevice: boolean;
  at: number;
}

/** A device that is connected to the key is no guesser, and pays nothing: not even its address is asked for. */
function isConnected(standing: store.StandingRow | null, request: VerifyRequest): standing is store.StandingRow {
  return isOfGame(standing, request) && standing.isKnown === 1;
}

function isOfGame(standing: store.StandingRow | null, request: VerifyRequest): standing is store.StandingRow {
  return standing !== null && standing.game === gameNamed(request.game);
}

/** A device that is not connected, of a key that is good and has a free slot. */
function isNewcomer(
  standing: store.StandingRow | null,
  request: VerifyRequest,
  at: number,
): standing is store.StandingRow {
  return standing?.isKnown === 0 && codeOf(standing, request, at) === "VALID";
}

const sentences: Record<VerdictCode, string> = {
  VALID: "The key is valid on this device.",
  NOT_FOUND: "There is no such key for this game.",
  REVOKED: "The key has been revoked.",
  EXPIRED: "The key has expired.",
  DEVICE_LIMIT_REACHED: "The key is already in use on as many devices as it allows.",
};

function previewOf(standing: store.StandingRow | null, request: VerifyRequest, at: number): Preview {
  return { ...verdictOn(standing, request, at), canRegister: isNewcomer(standing, request, at) };
}

/** What is told of a key of another game, too: it is told apart from no key by nothing, so that keys cannot be probed. */
const noKey: Verdict = {
  valid: false,
  code: "NOT_FOUND",
  message: sentences.NOT_FOUND,
  expiry: null,
  deviceLimit: null,
  currentDevices: null,
};

function verdictOn(standing: store.StandingRow | null, request: VerifyRequest, at: number): Verdict {
  const code = codeOf(standing, request, at);
  return standing === null || code === "NOT_FOUND" ? noKey : told(code, standing, standing.deviceCount);
}

function told(code: VerdictCode, { expiresAt, deviceLimit }: store.StandingRow, currentDevices: number): Verdict {
  const expiry = isoOf(expiresAt);
  return { valid: code === "VALID", code, message: sentences[code], expiry, deviceLimit, currentDevices };
}

/** The codes in the order in which they are checked. */
function codeOf(standing: store.StandingRow | null, request: VerifyRequest, at: number): VerdictCode {
  if (!isOfGame(standing, request)) return "NOT_FOUND";
  const status = statusOf(standing, at);
  if (status !== "ACTIVE") return status;
  if (standing.isKnown === 0 && standing.deviceCount >= standing.deviceLimit) return "DEVICE_LIMIT_REACHED";
  return "VALID";
}
