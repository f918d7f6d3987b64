interface NamedKey {
  id: number;
  keyString: string;
}

/** rules.md: Recording. Of a text that nobody guesses the end may be known; a short one keeps more of itself. */
const longCharactersMin = 12;
const endCharacters = 5;
const shortEndCharacters = 2;

/** How the record names a key, never by its whole text: `key 123 …9VJW5`. */
export function keyTarget({ id, keyString }: NamedKey): string {
  const shown = keyString.length < longCharactersMin ? shortEndCharacters : endCharacters;
  return `key ${id} …${keyString.slice(-shown)}`;
}
