import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { commitIn } from "../../src/build/executable.ts";
import { runLatchkey, temporaryFolder } from "../process.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: string[]) => runLatchkey(words, { environment: { DATA_DIR: folder }, cwd: folder });

const commands = [
  "serve",
  "admin create",
  "admin list",
  "admin reset-password",
  "admin disable-two-factor",
  "admin remove",
  "api-keys list",
  "api-keys revoke",
  "migrate",
  "backup",
  "backups",
  "verify",
  "restore",
  "check",
  "clock confirm",
  "clock repair",
  "resellers erase",
  "move",
  "demo",
  "config",
  "healthcheck",
  "completions",
  "licences",
  "version",
];

describe("every command", () => {
  test("is listed by --help", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toContain(`  ${command}`);
  });

  test.each(commands)("%s --help prints its usage and does nothing else", async (command) => {
    const { code, stdout } = await run([...command.split(" "), "--help"]);
    expect([code, stdout.startsWith(`Usage: latchkey ${command}`)]).toEqual([0, true]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(["backup", "admin create"])("%s has the same usage with help", async (command) => {
    const { code, stdout } = await run(["help", ...command.split(" ")]);
    expect([code, stdout]).toEqual([0, (await run([...command.split(" "), "--help"])).stdout]);
  });

  test.each([[["admin", "--help"]], [["help", "admin"]]])("%j lists the admin commands", async (words) => {
    const { code, stdout } = await run(words);
    const listed = commands.filter((command) => command.startsWith("admin ")).map((command) => `  ${command}`);
    expect([code, [...(stdout.match(/^ {2}\S+ \S+/gm) ?? [])]]).toEqual([0, listed]);
  });

  test.each([
    [["unknown"], "There is no command unknown.\n\n`latchkey help` lists the commands.\n"],
    [["unknown", "--help"], "There is no command unknown."],
    [["help", "unknown"], "There is no command unknown."],
    [["\u001b[2Jno\nne"], "There is no command  [2Jno ne.\n"],
    [["import", "\u001b]0;x\u0007.csv"], "There is no file  ]0;x .csv.\n"],
    [["--unknown"], "There is no option --unknown.\n\n`latchkey help` lists the commands.\n"],
    [["admin"], "admin needs a subcommand.\n\nUsage: latchkey admin <command>\n\n  admin create"],
    [["admin", "forget"], "There is no command admin forget."],
    [["verify"], "verify takes <file>.\n\nUsage: latchkey verify <file>\nSee `latchkey help verify`.\n"],
    [["serve", "now"], "serve takes no arguments."],
    [["serve", "--fast"], "serve has no option --fast.\n\nUsage: latchkey serve [--demo]\nSee `latchkey help serve`"],
    [["admin", "create", "me", "-x"], "admin create has no option -x."],
    [["serve", "--demo=yes"], "Option '--demo' does not take an argument."],
  ])("%j is invalid usage: exit code 2 and a sentence", async (words, sentence) => {
    const { code, stderr } = await run(words);
    expect(code).toBe(2);
    expect(stderr).toStartWith(sentence);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test("licences prints the licences of what the executable contains", async () => {
  const { code, stdout } = await run(["licences"]);
  expect(code).toBe(0);
  for (const name of ["elysia", "react", "sqlite", "webkit"])
    expect(stdout).toMatch(new RegExp(`^${name} \\S+ \\(`, "m"));
});

test("version prints the version of package.json, and the commit that was built", async () => {
  const root = join(import.meta.dir, "../..");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const commit = (await commitIn(root)) === "" ? "" : String.raw`\+[0-9a-f]{7,}(-dirty)?`;
  for (const words of [["version"], ["--version"]])
    expect((await run(words)).stdout.trim()).toMatch(new RegExp(`^latchkey ${version}${commit}$`));
});

test("completions include commands, subcommands and options, and refuse unknown shells", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, stdout } = await run(["completions", shell]);
    expect(code).toBe(0);
    for (const word of ["serve", "reset-password", "--demo"]) expect(stdout).toContain(word);
  }
  const { code, stderr } = await run(["completions", "csh"]);
  expect([code, stderr]).toEqual([2, "There are completions for bash, zsh, fish.\n"]);
});

test("bash uses the completions", async () => {
  const bash = Bun.which("bash");
  if (bash === null) return console.log("This machine has no bash, so its completions are not tested.");
  const { stdout } = await run(["completions", "bash"]);
  const complete = async (...words: string[]) => {
    const asked = `COMP_WORDS=(latchkey ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}`;
    const shell = Bun.spawn([bash, "-c", `${stdout}\n${asked}; _latchkey; echo "\${COMPREPLY[@]}"`], {
      stdout: "pipe",
    });
    return (await new Response(shell.stdout).text()).trim();
  };
  expect(await complete("ser")).toBe("serve");
  expect(await complete("admin", "rem")).toBe("remove");
  expect(await complete("serve", "--d")).toBe("--demo");
  expect(await complete("backup", "nothing")).toBe("");
});
