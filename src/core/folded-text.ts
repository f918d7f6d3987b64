/** One character can become 18, and PostgreSQL indexes at most 2,704 bytes of a row. */
const charactersMax = 512;

/** How searches compare notes and device ids: without regard to case, in any script. Stores keep it beside the text. */
export function foldedText(text: string): string {
  return text.normalize("NFKC").toLowerCase().slice(0, charactersMax);
}
