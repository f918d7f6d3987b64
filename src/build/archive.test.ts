import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/process.ts";
import { documents, packArchive } from "./archive.ts";
import { root, writeBill } from "./executable.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("an archive has the executable, the licences of others, and the documents", async () => {
  await writeBill();
  const executable = join(folder, "built");
  await Bun.write(executable, "a program");
  const archive = await packArchive({ root, executable, folder, name: "latchkey-1.2.3", builtAt: new Date(0) });
  const names = (await Bun.$`tar -tzf ${archive}`.text()).split("\n");
  for (const name of ["latchkey", "THIRD-PARTY-NOTICES", "README.md", "compose.yaml", "docs/operating.md"]) {
    expect(names).toContain(`latchkey-1.2.3/${name}`);
  }
  expect(names.filter((name) => name.split("/").length === 2 && !name.endsWith("/"))).toHaveLength(
    2 + documents.filter((name) => name !== "docs").length,
  );
});

describe("the image", () => {
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) => paths.split(" "));

  test("carries the same documents, and the licences", () => {
    expect(copied).toEqual(expect.arrayContaining(documents));
    expect(dockerfile).toContain("COPY --from=build /latchkey/build/assets/THIRD-PARTY-NOTICES ");
  });

  test("is built from files that exist and that .dockerignore lets through", () => {
    const lines = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
    expect(copied.filter((path) => !existsSync(join(root, path)) || !lines.includes(`!${path}`))).toEqual([]);
  });

  test("has OCI's labels for its name, version, commit and licence", () => {
    const labels = [...dockerfile.matchAll(/org\.opencontainers\.image\.(\w+)=/g)].map(([, name]) => name);
    expect(labels).toEqual(expect.arrayContaining(["title", "version", "revision", "licenses"]));
  });
});
