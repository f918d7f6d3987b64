import { type ComponentType, useEffect, useState } from "react";

/** Brings what is not needed at first in a script of its own. The same function for each use of it. */
export type LoadPart<Part> = () => Promise<{ default: Part }>;
/** Brings a part of the page, such as a dialog. */
export type Load<Props> = LoadPart<ComponentType<Props>>;

/** What is said of a part that does not come. */
export const lostPartSentence = "This could not be loaded. Check the network and try again.";

const arrived = new WeakMap<object, unknown>();

/**
 * `Part` is null until its script has come, and `lost` is true when it does not. Nothing is fetched before there is a `wish`, and
 * each new wish tries again. React's `lazy` would hand a lost script to the island's Boundary, which takes the whole island out of
 * the page with what was typed in it, and would hold it for lost ever after.
 */
export function useLazy<Props>(load: Load<Props>, wish: unknown) {
  const [Part, setPart] = useState(() => arrivedPart(load));
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (Part || !wish) return;
    let over = false;
    bring(load).then(
      (part) => !over && setPart(() => part),
      () => !over && setLost(true),
    );
    return () => {
      over = true;
      setLost(false);
    };
  }, [Part, load, wish]);
  return { Part, lost };
}

/** Null until somebody brought it. */
export function arrivedPart<Part>(load: LoadPart<Part>): Part | null {
  return (arrived.get(load) ?? null) as Part | null;
}

export async function bring<Part>(load: LoadPart<Part>): Promise<Part> {
  const { default: part } = await scriptFrom(load);
  arrived.set(load, part);
  return part;
}

/**
 * Most browsers hold a script that could not be fetched for lost as long as the page lives (whatwg/html#6768). So without a network
 * none is asked for, and one that was lost is asked for under another address, where the browser says which that was.
 */
async function scriptFrom<Part>(load: LoadPart<Part>): ReturnType<LoadPart<Part>> {
  if (!navigator.onLine) throw new Error("There is no network.");
  try {
    return await load();
  } catch (error) {
    const [address] = String(error).match(/https?:\S+\.js/) ?? [];
    if (!address) throw error;
    return import(`${address}?again=${Date.now()}`);
  }
}
