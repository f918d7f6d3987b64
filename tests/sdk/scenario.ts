import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GameServer, startGameServer } from "./game-server.ts";

const secondsMax = 30;

/**
 * Plays a game on a running server: it takes the network away, moves the clock, revokes and rotates, and looks at what
 * the SDK says each time. `command` starts one of `runners`.
 */
export async function playScenario(command: string[]): Promise<void> {
  const server = await startGameServer();
  const store = mkdtempSync(join(tmpdir(), "sdk-store-"));
  try {
    await play(server, (talk) => withProcess([...command, store, server.game, server.address, ...pins(server)], talk));
  } finally {
    await server.end();
    rmSync(store, { recursive: true });
  }
}

const pins = (server: GameServer) => server.pins.map(({ kid, publicKey }) => `${kid}:${publicKey}`);

type Ask = (line: string) => Promise<string>;
type Start = (talk: (ask: Ask) => Promise<void>) => Promise<void>;

async function play(server: GameServer, start: Start): Promise<void> {
  const { good, full, next, late } = server.keys;
  await start(async (ask) => {
    await expects(ask, `check ${good}`, "PLAY VALID -");
    await expects(ask, "check NO-SUCH-KEY-0001", "REFUSED NOT_FOUND -");
    const [state, code, ref] = (await ask(`check ${full}`)).split(" ");
    if (state !== "REFUSED" || code !== "DEVICE_LIMIT_REACHED") throw new Error(`A full key is ${state} ${code}`);
    await expects(ask, `release ${ref}`, "true");
    await expects(ask, `check ${full}`, "PLAY VALID -");
    await server.takeAway();
    await expects(ask, `check ${good}`, "PLAY VALID -");
  });
  await start(async (ask) => {
    await expects(ask, `check ${good}`, "PLAY_OFFLINE NOT_ASKED -");
    await expects(ask, `check ${next}`, "UNKNOWN - -");
  });
  await server.bringBack();
  await server.revoke(good);
  await start(async (ask) => {
    // The refusal comes in the background.
    await expects(ask, `check ${good}`, "PLAY_OFFLINE NOT_ASKED -");
    const end = Date.now() + secondsMax * 1_000;
    while ((await ask(`check ${good}`)) !== "REFUSED REVOKED -") {
      if (Date.now() > end) throw new Error("A revoked key is never refused.");
      await Bun.sleep(20);
    }
    await server.rotate();
    await expects(ask, `check ${next}`, "PLAY VALID -");
    await server.rotate();
    // Signed by a key that this build does not know.
    await expects(ask, `check ${late}`, "UNKNOWN - -");
  });
  await server.takeAway();
  await start(async (ask) => {
    await expects(ask, `check ${next}`, "PLAY_OFFLINE NOT_ASKED -");
    // A day and an hour later, the lease is over.
    await expects(ask, "clock 90000", "set");
    await expects(ask, `check ${next}`, "UNKNOWN - -");
    // Going back does not help.
    await expects(ask, "clock 0", "set");
    await expects(ask, `check ${next}`, "UNKNOWN - -");
  });
}

async function expects(ask: Ask, line: string, expected: string): Promise<void> {
  const said = await ask(line);
  if (said !== expected) throw new Error(`"${line}" says "${said}", not "${expected}"`);
}

async function withProcess(command: string[], talk: (ask: Ask) => Promise<void>): Promise<void> {
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const late = setTimeout(() => child.kill(), secondsMax * 1_000);
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  let unread = "";
  try {
    await talk(async (line) => {
      child.stdin.write(`${line}\n`);
      await child.stdin.flush();
      while (!unread.includes("\n")) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The process ended at "${line}".`);
        unread += decoder.decode(value, { stream: true });
      }
      const end = unread.indexOf("\n");
      const said = unread.slice(0, end).trim();
      unread = unread.slice(end + 1);
      return said === "True" ? "true" : said;
    });
  } finally {
    clearTimeout(late);
    child.kill();
    await child.exited;
  }
}
