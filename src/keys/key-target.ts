import { keyEnd } from "../core/key-text.ts";

/* Apart from the catalogue, so that the page of a key loads no schemas. */

/** How the audit log names a key, never by its whole text: `key 123 …9VJW5`. */
export function keyTarget({ id, keyString }: { id: number; keyString: string }): string {
  return `key ${id} …${keyEnd(keyString)}`;
}
