import { afterEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/process.ts";
import { commitIn } from "./executable.ts";

const folder = temporaryFolder();
afterEach(() => {
  delete process.env.LATCHKEY_COMMIT;
  rmSync(folder, { recursive: true, force: true });
});

test("the commit is the one of git, with -dirty if files differ from it, or none outside of a clone", async () => {
  expect(await commitIn(folder)).toBe("");
  const git = (...words: string[]) =>
    Bun.$`git -c user.name=Test -c user.email=test@example.com ${words}`.cwd(folder).quiet();
  await git("init");
  await Bun.write(join(folder, "file"), "first");
  await git("add", "file");
  await git("commit", "-m", "First");
  await git("tag", "v1");
  const commit = (await git("rev-parse", "HEAD")).text().slice(0, 7);
  expect(await commitIn(folder)).toBe(commit);
  await Bun.write(join(folder, "file"), "second");
  expect(await commitIn(folder)).toBe(`${commit}-dirty`);
});

test("in an image's build, which has no clone, LATCHKEY_COMMIT names the commit", async () => {
  process.env.LATCHKEY_COMMIT = "d1fd1da";
  expect(await commitIn(folder)).toBe("d1fd1da");
});
