import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Environment, fileVariableOf } from "../../src/config/environment.ts";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
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
  const [shop = "", server = ""] = ["shop", "server"].map(
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
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["start", "test", "dev", "check", "build"]));
});
