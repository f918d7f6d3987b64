import { game, keyText, knownDevice, unknownKeyText } from "./key-space.ts";

/** What a request may be made of. */
export interface Draw {
  /** Keys in the database. */
  keys: number;
  /** A random whole number from 0 to below the given one. */
  below: (count: number) => number;
  /** A text that no other request of this or another run is given. */
  unique: string;
  /** The updates' ETag. */
  etag: string;
}

/** A kind of request: the text that goes over the wire, and what each answer must be for the run to count. */
interface Traffic {
  request: (draw: Draw) => string;
  status: number;
  contains: string;
}

export const traffic = {
  /** A connected device asks whether its key is good: the start of a game, everywhere. */
  knownDevice: {
    request: ({ keys, below }) => {
      const number = below(keys);
      return post(keyText(number), knownDevice(number));
    },
    status: 200,
    contains: '"code":"VALID"',
  },
  /** The same of the keys that were made last: what goes through all keys in their order reaches them last. */
  lateKnownDevice: {
    request: ({ keys, below }) => {
      const number = keys - 1 - below(Math.ceil(keys / 4));
      return post(keyText(number), knownDevice(number));
    },
    status: 200,
    contains: '"code":"VALID"',
  },
  /** A device that nobody has named before. It takes a slot, which is on the disk before it is answered. */
  newDevice: {
    request: ({ keys, below, unique }) => post(keyText(below(keys)), `new-${unique}`),
    status: 200,
    contains: '"code":"VALID"',
  },
  preview: {
    request: ({ keys, below }) => {
      const number = below(keys);
      return get(`/api/verify/${keyText(number)}/${encodeURIComponent(game)}/${knownDevice(number)}`);
    },
    status: 200,
    contains: '"code":"VALID"',
  },
  /** A key that nobody made, each time from another address, as a proxy names it: a single one is refused after 20. */
  unknownKey: {
    request: ({ keys, below }) => {
      const sender = `X-Forwarded-For: 10.${below(256)}.${below(256)}.${below(256)}\r\n`;
      return post(unknownKeyText(below(keys)), "device-guessing", sender);
    },
    status: 200,
    contains: '"code":"NOT_FOUND"',
  },
  /** The same from one address, past its limit. */
  guessing: {
    request: ({ keys, below }) => post(unknownKeyText(below(keys)), "device-guessing"),
    status: 429,
    contains: '"code":"TOO_MANY_TRIES"',
  },
  updates: { request: () => get("/api/updates"), status: 200, contains: '"title":"Update 2"' },
  unchangedUpdates: {
    request: ({ etag }) => get("/api/updates", `If-None-Match: ${etag}\r\n`),
    status: 304,
    contains: "",
  },
} satisfies Record<string, Traffic>;

export type TrafficName = keyof typeof traffic;

function post(key: string, deviceId: string, headers = ""): string {
  const body = JSON.stringify({ key, deviceId, game });
  return `POST /api/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

function get(path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
}
