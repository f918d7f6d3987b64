import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

test("the archive of a published image names it, and pulls it", async () => {
  await writeBill();
  const [executable, image] = [join(folder, "built"), "ghcr.io/example/latchkey:1.2.3"];
  await Bun.write(executable, "a program");
  const archive = await packArchive({ root, executable, folder, name: "published", builtAt: new Date(0), image });
  await Bun.$`tar -xzf ${archive} -C ${folder}`;
  const textOf = (path: string) => readFileSync(join(folder, "published", path), "utf8");
  for (const path of ["README.md", "docs/operating.md"]) {
    expect(readFileSync(join(root, path), "utf8")).toContain("Docker Compose 2.24");
    expect(textOf(path)).toContain(`\`${image}\``);
    expect(textOf(path)).not.toMatch(/IMAGE:VERSION|Until there\s+is\s+a\s+release/);
  }
  for (const path of ["compose.yaml", "compose.scale.yaml"]) {
    const { services } = Bun.YAML.parse(textOf(path)) as { services: Record<string, object> };
    const latchkeys = Object.entries(services).filter(([name]) => name.startsWith("latchkey"));
    expect(latchkeys.map(([, service]) => service)).not.toContainEqual(expect.objectContaining({ build: "." }));
    for (const [, service] of latchkeys) expect(service).toMatchObject({ image });
  }
});

test("a release's text begins with its image", async () => {
  const workflow = Bun.YAML.parse(readFileSync(join(root, ".github/workflows/release.yml"), "utf8")) as {
    jobs: { publish: { steps: { name?: string; run?: string }[] } };
  };
  const step = workflow.jobs.publish.steps.find(({ name }) => name === "Publish the files");
  mkdirSync(join(folder, "clone/build"), { recursive: true });
  writeFileSync(join(folder, "clone/CHANGELOG.md"), "# Changelog\n");
  const gh = `gh() { while [ "$1" != --notes-file ]; do shift; done; cat "$2"; }`;
  const env = { PATH: process.env.PATH, TAG: "v1.2.3", IMAGE: "ghcr.io/Example/latchkey" };
  const shell = Bun.spawn(["bash", "-euc", `${gh}\n${step?.run}`], { cwd: join(folder, "clone"), env, stdout: "pipe" });
  expect(await new Response(shell.stdout).text()).toBe("Image: `ghcr.io/example/latchkey:1.2.3`\n\n# Changelog\n");
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
