import { type Lookup, noConditions, type VerifiableKey } from "../verdict.ts";

/**
 * Keys, as earlier requests of connected devices saw them. Each request has two places, and the latest request keeps the
 * place that it takes, so nothing is ever searched or removed. With one place, many of 100,000 keys in use displaced
 * each other (P1 and P4 of docs/performance.md). The entries are numbers in typed arrays: as objects in a Map they cost
 * more in garbage collection than they save.
 */
export class KeyCache {
  readonly #mask: number;
  readonly #seeds = crypto.getRandomValues(new Uint32Array(2));
  // An entry, spread over arrays. Two hashes of 32 bits with secret seeds identify the request.
  readonly #hashA: Uint32Array;
  readonly #hashB: Uint32Array;
  readonly #id: Float64Array;
  /** 0 for an admin key. */
  readonly #resellerId: Float64Array;
  readonly #expiresAt: Float64Array;
  /** The tables allow at most 100 devices and 168 hours. */
  readonly #deviceLimit: Uint8Array;
  readonly #deviceCount: Uint8Array;
  readonly #leaseHours: Uint8Array;
  /** Days have room until the year 2149. */
  readonly #lastSeenDay: Uint16Array;
  /** A hash of the name as the device sent it last; 0 if it sent none. */
  readonly #nameHash: Uint32Array;
  readonly #keptAt: Float64Array;
  /** When a key with this remainder of its id changed last. Keys that share one only cause misses. */
  readonly #changedAt: Float64Array;
  #emptiedAt = 0;
  #time = 1;
  #takesFirst = false;
  #version: number | null = null;

  /** `places` is a power of two, with 57 bytes each; 0 switches the cache off. */
  constructor(readonly places = 2 ** 18) {
    this.#mask = places - 1;
    this.#hashA = new Uint32Array(places);
    this.#hashB = new Uint32Array(places);
    this.#id = new Float64Array(places);
    this.#resellerId = new Float64Array(places);
    this.#expiresAt = new Float64Array(places);
    this.#deviceLimit = new Uint8Array(places);
    this.#deviceCount = new Uint8Array(places);
    this.#leaseHours = new Uint8Array(places);
    this.#lastSeenDay = new Uint16Array(places);
    this.#nameHash = new Uint32Array(places);
    this.#keptAt = new Float64Array(places);
    this.#changedAt = new Float64Array(places);
  }

  /** A key that was read after this moment, and is kept with it, is as new as this moment. */
  get time(): number {
    return this.#time;
  }

  /**
   * `versionByOthers` is the database's. It costs a statement, so it is called only until it is known, and then if the
   * request has an entry. If it returns another version than before, the cache is emptied; if it returns null, the
   * cache is not used.
   */
  get(lookup: Lookup, versionByOthers: () => number | null): VerifiableKey | null {
    if (this.places === 0) return null;
    const place = this.#placeOf(this.#hashes(lookup));
    if (place === null && this.#version !== null) return null;
    const version = versionByOthers();
    if (version === null) return null;
    if (version !== this.#version) this.forget();
    this.#version = version;
    if (place === null || this.#isStale(place)) return null;
    return {
      id: this.#id[place] as number,
      game: noConditions,
      resellerId: this.#resellerId[place] || null,
      expiresAt: this.#expiresAt[place] as number,
      isPaused: false,
      pauseEndsAt: null,
      isRevoked: false,
      isReplaced: false,
      deviceLimit: this.#deviceLimit[place] as number,
      deviceCount: this.#deviceCount[place] as number,
      isConnected: true,
      isBlocked: false,
      lastSeenDay: this.#lastSeenDay[place] as number,
      leaseHours: this.#leaseHours[place] as number,
      isNameKept: lookup.deviceName === null || this.#nameHash[place] === this.#hashOfName(lookup.deviceName),
    };
  }

  /**
   * `readAt` is `time` before the key was read. The key must meet the conditions of its game in this version: a change
   * of the game forgets all entries.
   */
  keep(lookup: Lookup, key: VerifiableKey, readAt: number): void {
    if (this.places === 0 || !key.isConnected || key.isRevoked || key.isPaused) return;
    const hashes = this.#hashes(lookup);
    const [a, b] = hashes;
    const place = this.#placeOf(hashes) ?? this.#placeToTake(hashes);
    this.#hashA[place] = a;
    this.#hashB[place] = b;
    this.#id[place] = key.id;
    this.#resellerId[place] = key.resellerId ?? 0;
    this.#expiresAt[place] = key.expiresAt;
    this.#deviceLimit[place] = key.deviceLimit;
    this.#deviceCount[place] = key.deviceCount;
    this.#leaseHours[place] = key.leaseHours;
    this.#lastSeenDay[place] = key.lastSeenDay;
    this.#nameHash[place] = key.isNameKept && lookup.deviceName !== null ? this.#hashOfName(lookup.deviceName) : 0;
    this.#keptAt[place] = readAt;
  }

  /** Keeps that the device of an entry was seen on this day, if there is such an entry. */
  keepSeen(lookup: Lookup, day: number): void {
    const place = this.#placeOf(this.#hashes(lookup));
    if (place !== null) this.#lastSeenDay[place] = day;
  }

  /** For a change that may concern any key. */
  forget(): void {
    this.#emptiedAt = this.#time;
    this.#time += 1;
  }

  readonly evict = (keyIds: Iterable<number>): void => {
    for (const id of keyIds) this.#changedAt[id & this.#mask] = this.#time;
    this.#time += 1;
  };

  #hashOfName(name: string): number {
    return Bun.hash.xxHash32(name, this.#seeds[0]);
  }

  /** Also of a place that has never had an entry. */
  #isStale(place: number): boolean {
    const keptAt = this.#keptAt[place] as number;
    const id = this.#id[place] as number;
    return keptAt <= this.#emptiedAt || keptAt <= (this.#changedAt[id & this.#mask] as number);
  }

  /** Where the request has its entry. */
  #placeOf([a, b]: [number, number]): number | null {
    const first = a & this.#mask;
    if (this.#hashA[first] === a && this.#hashB[first] === b) return first;
    const second = b & this.#mask;
    return this.#hashA[second] === a && this.#hashB[second] === b ? second : null;
  }

  /**
   * If both places have entries, they take turns. If always the same one were taken, two keys in use could displace each
   * other at every request, although the other place has a key that no game sends any more.
   */
  #placeToTake([a, b]: [number, number]): number {
    const [first, second] = [a & this.#mask, b & this.#mask];
    if (this.#isStale(first)) return first;
    if (this.#isStale(second)) return second;
    this.#takesFirst = !this.#takesFirst;
    return this.#takesFirst ? first : second;
  }

  #hashes({ text, game, deviceId, version }: Lookup): [number, number] {
    const name = `${text}\n${game}\n${deviceId}\n${version}`;
    return [Bun.hash.xxHash32(name, this.#seeds[0]), Bun.hash.xxHash32(name, this.#seeds[1])];
  }
}
