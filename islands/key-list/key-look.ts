/** A key, on one line of a table; in a small one in letters as large as that allows, and with a wider font on two; on as many as it takes on a card. */
export const keyLook =
  "key-text min-w-0 truncate max-md:text-xs max-md:whitespace-normal max-md:wrap-anywhere list-small:text-[clamp(0.68rem,1.74cqw,0.8125rem)] list-small:whitespace-normal list-small:wrap-anywhere";
