import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as sdk from "../../public/sdk/latchkey.ts";
import { Environment, fileVariableOf } from "../../src/config/environment.ts";
import { type Client, createApiKey, createClient, registerReseller, signInAdmin } from "../client.ts";
import { curlFolder } from "../curl-folder.ts";
import { adminLogin, type Latchkey, startLatchkey, temporaryFolder } from "../process.ts";

const readme = readFileSync(join(import.meta.dir, "../../README.md"), "utf8");
const handbook = readFileSync(join(import.meta.dir, "../../docs/operating.md"), "utf8");

describe("the README's walk-through", () => {
  let latchkey: Latchkey;
  const folder = temporaryFolder();
  const withCurl = curlFolder();
  beforeAll(async () => {
    latchkey = await startLatchkey();
  });
  afterAll(async () => {
    await latchkey.stop();
    for (const each of [folder, withCurl]) rmSync(each, { recursive: true, force: true });
  });

  const walk = readme.match(/<!-- walk -->\s+```sh\n([\s\S]+?)```/)?.[1] ?? "";

  test.each(["the first time", "and again"])(
    "works unchanged, %s: a key is bought, verified, revoked and then refused",
    async () => {
      const shell = Bun.spawn(["sh", "-eu", "-c", walk], {
        cwd: folder,
        env: { PATH: `${process.env.PATH}:${withCurl}`, url: latchkey.url, password: adminLogin.password },
        stdout: "pipe",
        stderr: "pipe",
      });
      const output = await new Response(shell.stdout).text();
      expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, ""]);
      const responses = output
        .replaceAll("}{", "}\n{")
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(responses).toMatchObject([
        { message: "Logged in as admin successfully" },
        { message: "Logged in as reseller successfully", user: { username: expect.stringMatching(/^night\.owl\./) } },
        { message: "Credits added successfully", reseller: { credits: 15 } },
        { valid: true, code: "VALID", deviceLimit: 2, currentDevices: 1 },
        { message: "Key revoked successfully", key: { keyString: expect.stringMatching(/^WALK-/), isRevoked: true } },
        { valid: false, code: "REVOKED" },
      ]);
    },
  );
});

describe("the handbook for programs", () => {
  let latchkey: Latchkey;
  const folder = temporaryFolder();
  const withCurl = curlFolder();
  const password = "test-reseller-password";
  const [shop = "", afterSale = "", server = ""] = ["shop", "after-sale", "server"].map(
    (name) => handbook.match(new RegExp(`<!-- ${name} -->\\s+\`\`\`sh\\n([\\s\\S]+?)\`\`\``))?.[1],
  );
  let reseller: Client;
  beforeAll(async () => {
    latchkey = await startLatchkey();
    const admin = await signInAdmin(() => createClient(latchkey.url));
    reseller = await registerReseller(() => createClient(latchkey.url), admin, { username: "night.owl", credits: 60 });
  });
  afterAll(async () => {
    await latchkey.stop();
    for (const each of [folder, withCurl]) rmSync(each, { recursive: true, force: true });
  });

  /** Runs a script as the handbook has it and returns what it prints, as JSON. */
  async function followed(script: string, environment: Record<string, string> = {}) {
    const shell = Bun.spawn(["sh", "-eu", "-c", script], {
      cwd: folder,
      env: { PATH: `${process.env.PATH}:${withCurl}`, url: latchkey.url, password, ...environment },
      stdout: "pipe",
      stderr: "pipe",
    });
    const output = await new Response(shell.stdout).text();
    expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, ""]);
    return output
      .replaceAll("}{", "}\n{")
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  test("works unchanged: a shop sells an invoice once, and a server verifies the key, with its API key and without", async () => {
    const [, sold] = await followed(shop);
    expect(sold).toMatchObject({ keys: [{ starts: "first_use" }], credits: 57 });
    expect((await followed(shop))[1]).toEqual(sold);
    const [{ keyString: KEY }] = sold.keys;
    const valid = [{ valid: true, code: "VALID", currentDevices: 1 }];
    expect(await followed(`${shop}${server}`, { KEY })).toMatchObject([{}, {}, ...valid]);
    const refused = server.replace(/^SERVER_KEY=.*$/m, "SERVER_KEY=lk_gone");
    expect(await followed(`${shop}${refused}`, { KEY })).toMatchObject([{}, {}, ...valid]);
    expect((await reseller.get("/api/reseller/orders")).body).toHaveLength(1);
    // A renewal is paid once too, and a revoked key is no longer renewed.
    const id = String(sold.keys[0].id);
    const [renewed, revoked] = (await followed(`${shop}${afterSale}`, { id })).slice(2);
    expect(renewed).toMatchObject({ cost: 3, credits: 54, key: { status: "ACTIVE" } });
    expect(revoked.key.status).toBe("REVOKED");
    const [again, done] = (await followed(`${shop}${afterSale}`, { id })).slice(2);
    expect(again).toMatchObject({ cost: 3, credits: 54, key: { status: "REVOKED" } });
    expect(done.code).toBe("KEY_ALREADY_REVOKED");
  });

  test("gives up at once when the API key has spent its credits of the day", async () => {
    const spent = shop.replace('creditsPerDay\\":50', 'creditsPerDay\\":1').replace("INV-2025-0042", "INV-2025-0043");
    expect((await followed(spent))[1]).toMatchObject({ code: "CREDITS_PER_DAY_SPENT" });
    expect(handbook.match(/--retry \d/g)?.length).toBe(handbook.match(/--retry \d --retry-max-time 60/g)?.length);
  });

  test("and the README's three lines of the SDK let a player in, with the pins that the server lists", async () => {
    const [before = "", lines = "", between = ""] =
      readme.match(/^([\s\S]+?)```ts\n([\s\S]+?)```([\s\S]+?)```js/)?.slice(1) ?? [];
    expect(before).not.toContain("/api/verify");
    expect(lines.trimEnd().split("\n")).toHaveLength(3);
    expect(between).toContain("edited on the phone");
    const path = between.match(/`(\/\.well-known\/[\w-]+)`/)?.[1] ?? "";
    const pins = await (await fetch(`${latchkey.url}${path}`)).json();
    const [, names = "", code = ""] = lines.match(/^import \{ (.+) \} from .+\n([\s\S]+)/) ?? [];
    expect(Object.keys(sdk)).toEqual(expect.arrayContaining(names.split(", ")));
    const kept = new Map<string, string>();
    const store: sdk.Store = {
      get: (name) => kept.get(name),
      set: (name, text) => void kept.set(name, text),
      remove: (name) => void kept.delete(name),
    };
    const order = { game: "PUBG MOBILE", deviceLimit: 1, days: 5, count: 1 };
    const [key] = (await reseller.post("/api/reseller/keys/generate", order)).body.keys;
    const body = `return (async () => { ${code.replace("https://keys.example.com", latchkey.url)}; return state; })()`;
    const run = new Function("open", "indexedDbStore", "pins", "key", body);
    expect(await run(sdk.open, () => store, pins.keys, key.keyString)).toBe("PLAY");
  });

  const shops = [
    ["node", "shop.mjs"],
    ["python3", "shop.py"],
  ] as const;

  describe.each(shops.filter(([program]) => Bun.which(program) !== null))("%s %s", (program, file) => {
    const path = join(import.meta.dir, "../../docs/examples", file);
    let SHOP_KEY = "";

    async function run(...words: string[]) {
      const child = Bun.spawn([program, path, ...words], {
        env: { ...process.env, LATCHKEY: latchkey.url, SHOP_KEY },
        stdout: "pipe",
      });
      const text = await new Response(child.stdout).text();
      return { code: await child.exited, ...JSON.parse(text) };
    }

    test("sells, renews and refunds, each once", async () => {
      SHOP_KEY = await createApiKey(reseller, "reseller", { scopes: ["keys:order", "keys:manage"] });
      const [invoice, renewal] = [`INV-${program}-1`, `INV-${program}-2`];
      const sold = await run("sell", invoice);
      expect(sold).toMatchObject({ code: 0, cost: 3, keys: [{ starts: "first_use", durationHours: 720 }] });
      expect(await run("sell", invoice)).toEqual(sold);
      const { id } = sold.keys[0];
      const renewed = await run("renew", renewal, id);
      expect(renewed).toMatchObject({ code: 0, cost: 3, key: { id, durationHours: 1_440 } });
      expect(await run("renew", renewal, id)).toEqual(renewed);
      expect(await run("refund", invoice, id)).toMatchObject({ code: 0, key: { status: "REVOKED" } });
      expect(await run("refund", invoice, id)).toMatchObject({ code: "KEY_ALREADY_REVOKED" });
    });

    test("gives up at once when the API key has spent its credits of the day, and has at most 40 lines", async () => {
      SHOP_KEY = await createApiKey(reseller, "reseller", { scopes: ["keys:order"], creditsPerDay: 1 });
      expect(await run("sell", `INV-${program}-3`)).toMatchObject({ code: "CREDITS_PER_DAY_SPENT" });
      expect(readFileSync(path, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(40);
    });
  });
});

test("the configuration table in docs/operating.md lists every variable with its default", () => {
  const rows = [...handbook.matchAll(/^\| (`[A-Z0-9_]+`(?: or `[A-Z0-9_]+`)?) \| (?:`([^`]*)`)? *\| /gm)];
  const nameOf = (name: string, isSecret = false) => `\`${name}\`${isSecret ? ` or \`${fileVariableOf(name)}\`` : ""}`;
  expect(rows.map(([, name, fallback = ""]) => [name, fallback])).toEqual(
    Object.entries(Environment.properties).map(([name, schema]) => [nameOf(name, schema.isSecret), schema.default]),
  );
});

test("the README's commands exist in package.json", () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dir, "../../package.json"), "utf8"));
  expect(readme).toContain("npx --yes bun@1.4.4 start");
  expect(readme).toContain("npx --yes bun@1.4.4 run test");
  expect(readme).toMatch(/about [\d,]+ tests[\s\S]+about \d+ minutes on two cores/);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["start", "test", "dev", "check", "build"]));
});
