import { type ElementType, Fragment, type Key, type ReactNode } from "react";
import * as react from "react/jsx-runtime";

/*
 * React's JSX (`jsxImportSource` in tsconfig.json), with one difference: a text with siblings gets its own element.
 *
 * Translators of browsers replace each text node by elements. React would then insert before, remove or change a node
 * that is no longer in the page: the first two throw, the third is not seen. It owns no text node where an element has
 * only a text, because it sets that through the element.
 */

export type { JSX } from "react/jsx-runtime";
export { Fragment };

interface Props {
  children?: ReactNode;
}

/** For one child. The siblings of a fragment's text are outside of it. */
export function jsx(type: ElementType, props: Props, key?: Key) {
  const { children } = props;
  return react.jsx(
    type,
    type === Fragment && isText(children) ? { ...props, children: ownElement(children) } : props,
    key,
  );
}

/** For several children. */
export function jsxs(type: ElementType, props: { children: ReactNode[] }, key?: Key) {
  const children = withoutNeighbours(props.children);
  const isOneText = type !== Fragment && children.every((child) => isText(child) || isNothing(child));
  if (isOneText) return react.jsx(type, { ...props, children: children.find(isText) }, key);
  return react.jsxs(
    type,
    { ...props, children: children.map((child) => (isText(child) ? ownElement(child) : child)) },
    key,
  );
}

/** Joins texts that follow each other. All other children keep their positions, which React knows them by. */
function withoutNeighbours(children: ReactNode[]): ReactNode[] {
  const joined = [...children];
  let first: number | null = null;
  for (const [index, child] of children.entries()) {
    if (isNothing(child)) continue;
    if (!isText(child)) first = null;
    else if (first === null) first = index;
    else {
      joined[first] = `${joined[first]}${child}`;
      joined[index] = null;
    }
  }
  return joined;
}

function ownElement(text: string | number | bigint) {
  return react.jsx("span", { children: text });
}

function isText(child: ReactNode): child is string | number | bigint {
  return ["string", "number", "bigint"].includes(typeof child) && child !== "";
}

function isNothing(child: ReactNode): boolean {
  return child === null || child === undefined || typeof child === "boolean" || child === "";
}
