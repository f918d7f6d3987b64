import { indexedDbStore, open, type Verdict } from "../../../public/sdk/latchkey.ts";

const settings = new URLSearchParams(location.search);
const find = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;
const keyField = find<HTMLInputElement>("key");

/** Not awaited here, so that the form works at once: a player may press Play before the store is open. */
const opening = open({
  addresses: [settings.get("address") ?? location.origin],
  game: settings.get("game") ?? "PUBG MOBILE",
  pins: (settings.get("pins") ?? "").split(",").map((pin) => {
    const [kid = "", publicKey = ""] = pin.split(":");
    return { kid, publicKey };
  }),
  store: indexedDbStore(),
  deviceName: "Demo browser",
});

const words: Record<Verdict["state"], string> = {
  PLAY: "You are playing.",
  PLAY_OFFLINE: "You are playing offline.",
  REFUSED: "You cannot play.",
  UNKNOWN: "The server cannot be reached. Please try again.",
};

let timer: ReturnType<typeof setTimeout>;

/** Asks once a second while the game runs. While a lease is running, that costs nothing. */
async function play(key: string): Promise<void> {
  clearTimeout(timer);
  const verdict = await (await opening).check(key);
  show(verdict);
  if (verdict.state === "PLAY" || verdict.state === "PLAY_OFFLINE") timer = setTimeout(() => play(key), 1_000);
}

function show({ state, code, message, release }: Verdict): void {
  // Before the first attempt has ended, the game does not know that it is offline.
  const word = code === "NOT_ASKED" ? words.PLAY : words[state];
  find("state").textContent = [word, message].filter(Boolean).join(" ");
  find("state").dataset.state = state;
  const devices = release?.isAllowed ? release.devices : [];
  find("devices").replaceChildren(...devices.map(({ ref, name, lastSeen }) => deviceRow(ref, name, lastSeen)));
}

/** A device that takes the player's slot, and a button that frees it. */
function deviceRow(ref: string, name: string | null, lastSeen: string): HTMLElement {
  const row = document.createElement("li");
  const button = document.createElement("button");
  button.textContent = `Free ${name ?? "this device"}`;
  button.onclick = async () => {
    const { isReleased, message } = await (await opening).release(ref);
    if (isReleased) await play(keyField.value);
    else find("state").textContent = message ?? words.UNKNOWN;
  };
  row.append(`${name ?? "A device"}, last seen ${lastSeen}`, button);
  return row;
}

find<HTMLFormElement>("form").onsubmit = (event) => {
  event.preventDefault();
  localStorage.setItem("key", keyField.value);
  void play(keyField.value);
};

find("forget").onclick = async () => {
  clearTimeout(timer);
  await (await opening).forget();
  localStorage.removeItem("key");
  keyField.value = "";
  find("state").textContent = "You are signed out.";
};

keyField.value = localStorage.getItem("key") ?? "";
if (keyField.value) await play(keyField.value);
