import { type ComponentType, useEffect, useState } from "react";

/** Brings a part of the page whose script is not needed at first, such as a dialog. The same function for each use of the part. */
export type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** What is said of a part that does not come. */
export const lostPartSentence = "This could not be loaded. Check the network and try again.";

const arrived = new WeakMap<object, unknown>();

/**
 * `Part` is null until its script has come, and `lost` is true when it does not. Nothing is fetched before there is a `wish`, and
 * each new wish tries again. React's `lazy` would hand a lost script to the island's Boundary, which takes the whole island out of
 * the page with what was typed in it, and would hold it for lost ever after.
 */
export function useLazy<Props>(load: Load<Props>, wish: unknown) {
  const [Part, setPart] = useState(() => (arrived.get(load) ?? null) as ComponentType<Props> | null);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (Part || !wish) return;
    let over = false;
    const take = (part: ComponentType<Props>) => {
      arrived.set(load, part);
      if (!over) setPart(() => part);
    };
    bring(load).then(
      (script) => take(script.default),
      () => !over && setLost(true),
    );
    return () => {
      over = true;
      setLost(false);
    };
  }, [Part, load, wish]);
  return { Part, lost };
}

/**
 * Most browsers hold a script that could not be fetched for lost as long as the page lives (whatwg/html#6768). So without a network
 * none is asked for, and one that was lost is asked for under another address, where the browser says which that was.
 */
async function bring<Props>(load: Load<Props>): ReturnType<Load<Props>> {
  if (!navigator.onLine) throw new Error("There is no network.");
  try {
    return await load();
  } catch (error) {
    const [address] = String(error).match(/https?:\S+\.js/) ?? [];
    if (!address) throw error;
    return import(`${address}?again=${Date.now()}`);
  }
}
