import { type ComponentType, useEffect, useState } from "react";

/** Loads a separate script for later use. Pass the same function each time. */
type LoadPart<Part> = () => Promise<{ default: Part }>;
/** Loads a component of the page, such as a dialog. */
export type Load<Props> = LoadPart<ComponentType<Props>>;

/** Shown when a part cannot be loaded. */
export const lostPartSentence = "This could not be loaded. Check your connection and try again.";

const arrived = new WeakMap<object, unknown>();

/**
 * `Part` is null until its script has loaded, and `lost` is true if loading failed. Nothing is fetched until `wanted`
 * is truthy; each new value, `retry` and a network that comes back try again. React's `lazy` would hand a failed script to the island's Boundary, which
 * removes the whole island and the text typed in it, and would never try again.
 */
export function useLazy<Props>(load: Load<Props>, wanted: unknown) {
  const [Part, setPart] = useState(() => arrivedPart(load));
  const [lost, setLost] = useState(false);
  const [tries, setTries] = useState(0);
  const retry = () => setTries((before) => before + 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new number tries again.
  useEffect(() => {
    if (Part || !wanted) return;
    let over = false;
    window.addEventListener("online", retry);
    bring(load).then(
      (part) => !over && setPart(() => part),
      () => !over && setLost(true),
    );
    return () => {
      over = true;
      window.removeEventListener("online", retry);
      setLost(false);
    };
  }, [Part, load, wanted, tries]);
  return { Part, lost, retry };
}

/** Null until it has been loaded. */
export function arrivedPart<Part>(load: LoadPart<Part>): Part | null {
  return (arrived.get(load) ?? null) as Part | null;
}

export async function bring<Part>(load: LoadPart<Part>): Promise<Part> {
  const { default: part } = await scriptFrom(load);
  arrived.set(load, part);
  return part;
}

/**
 * Most browsers never retry a script that failed to load while the page lives (whatwg/html#6768). So nothing is
 * requested without a network, and a failed script is requested at another address if the error names it.
 */
async function scriptFrom<Part>(load: LoadPart<Part>): ReturnType<LoadPart<Part>> {
  if (!navigator.onLine) throw new Error("There is no connection.");
  try {
    return await load();
  } catch (error) {
    const [address] = String(error).match(/https?:\S+\.js/) ?? [];
    if (!address) throw error;
    return import(`${address}?again=${Date.now()}`);
  }
}
