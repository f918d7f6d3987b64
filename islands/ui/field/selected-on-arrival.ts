import { type FocusEvent, type MouseEvent, useRef } from "react";

type Field = HTMLInputElement;

/**
 * For a field whose text is more often replaced than changed: whoever comes to it, by key, pointer or finger, finds all of it selected.
 * Once there, a press puts the caret where it likes, and the browser's stepper steps. Spread it on the input.
 */
export function useSelectedOnArrival() {
  const arrives = useRef(false);
  return {
    onMouseDown: ({ currentTarget }: MouseEvent<Field>) => {
      arrives.current = currentTarget !== document.activeElement;
    },
    onFocus: ({ currentTarget }: FocusEvent<Field>) => currentTarget.select(),
    // The release of the press that brought the focus has put the caret where it was.
    onClick: ({ currentTarget }: MouseEvent<Field>) => {
      if (arrives.current) currentTarget.select();
      arrives.current = false;
    },
  };
}
