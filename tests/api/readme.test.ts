import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Environment, fileVariableOf } from "../../src/config/environment.ts";
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
      const answers = output
        .replaceAll("}{", "}\n{")
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(answers).toMatchObject([
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
