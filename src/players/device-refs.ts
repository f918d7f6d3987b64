import type { Secrets } from "../accounts/sealed.ts";

export type DeviceRefs = ReturnType<typeof createDeviceRefs>;

const refCharacters = 22;

/**
 * Names for connected devices that reveal nothing about their ids. Each connection has a new row, and so another name,
 * which is the same on all servers with this SECRET.
 */
export function createDeviceRefs({ secrets }: { secrets: Secrets }) {
  return {
    refOf: (rowId: number): string =>
      new Bun.CryptoHasher("sha256", secrets.current)
        .update(`device ${rowId}`)
        .digest("base64url")
        .slice(0, refCharacters),
  };
}
