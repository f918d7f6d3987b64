const placeLook = "tr, li, section";

/**
 * Notes where this element stands, for when it leaves the page, and answers what to focus then: something in the same row or card,
 * else in the next one, else in the one before; else in the dialog that all that stands in; else the search that the list belongs to,
 * else the page's content.
 */
export function noteNeighbours(element: Element | null): () => HTMLElement | null {
  const place = element?.closest(placeLook);
  const dialog = element?.closest("[role=dialog]");
  const places = [
    ...(place ? [place, ...siblings(place, "nextElementSibling"), ...siblings(place, "previousElementSibling")] : []),
    ...(dialog ? [dialog] : []),
  ];
  return () => {
    for (const near of places) {
      const control = near.isConnected && near.querySelector<HTMLElement>("button:not(:disabled), a[href]");
      if (control) return control;
    }
    return document.querySelector<HTMLElement>('input[type="search"]') ?? document.getElementById("content");
  };
}

function siblings(place: Element, direction: "nextElementSibling" | "previousElementSibling"): Element[] {
  const found: Element[] = [];
  for (let next = place[direction]; next; next = next[direction]) found.push(next);
  return found;
}
