import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { open, platform } from "../../../public/sdk/latchkey.ts";

/** Calls a server with latchkey.ts, as its input says. See run.ts. */
const [, folder = "", game = "", address = "", ...pins] = process.argv.slice(2);

let shift = 0;
const client = await open({
  addresses: [address],
  game,
  pins: pins.map((pin) => {
    const [kid = "", publicKey = ""] = pin.split(":");
    return { kid, publicKey };
  }),
  store: {
    get(name) {
      try {
        return readFileSync(join(folder, name), "utf8");
      } catch {
        return null;
      }
    },
    set: (name, text) => writeFileSync(join(folder, name), text),
    remove: (name) => rmSync(join(folder, name), { force: true }),
  },
  system: { now: () => platform.now() + shift },
});

for await (const line of createInterface(process.stdin)) {
  const [word = "", value = ""] = line.split(" ");
  if (word === "clock") {
    shift = Number(value);
    console.log("set");
  } else if (word === "release") {
    console.log((await client.release(value)).isReleased);
  } else {
    const { state, code, release } = await client.check(value);
    console.log(state, code ?? "-", release?.devices[0]?.ref ?? "-");
  }
}
