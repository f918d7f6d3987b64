/* Apart from the catalogue, so that the page of a key loads no schemas. */

/** rules.md: Audit entries. A long text stays unguessable when its end is known; of a short one less is shown. */
const longCharactersMin = 12;
const endCharacters = 5;
const shortEndCharacters = 2;

/** How the audit log names a key, never by its whole text: `key 123 …9VJW5`. */
export function keyTarget({ id, keyString }: { id: number; keyString: string }): string {
  const shown = keyString.length < longCharactersMin ? shortEndCharacters : endCharacters;
  return `key ${id} …${keyString.slice(-shown)}`;
}
