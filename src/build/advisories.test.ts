import { expect, test } from "bun:test";
import { join } from "node:path";

const hole = {
  id: 1,
  title: "A hole",
  severity: "high",
  url: "https://example.com/hole",
  vulnerable_versions: "<99.0.0",
  cwe: [],
  cvss: { score: 7, vectorString: null },
};

/** Checks against a registry with this response. */
async function ask(respond: () => Response): Promise<{ code: number; output: string }> {
  const registry = Bun.serve({ port: 0, fetch: respond });
  const audit = Bun.spawn([process.execPath, join(import.meta.dir, "advisories.ts")], {
    cwd: join(import.meta.dir, "../.."),
    env: { ...process.env, BUN_CONFIG_REGISTRY: registry.url.href },
    stdout: "pipe",
  });
  const output = await new Response(audit.stdout).text();
  const code = await audit.exited;
  await registry.stop(true);
  return { code, output };
}

test("a published vulnerability of a dependency fails the check and is named", async () => {
  const { code, output } = await ask(() => Response.json({ elysia: [hole] }));
  expect([code, output]).toEqual([
    1,
    "elysia <99.0.0: A hole (high, https://example.com/hole)\nPublished vulnerabilities of the product's dependencies: 1.\n",
  ]);
});

test("without vulnerabilities the check passes", async () => {
  expect((await ask(() => Response.json({}))).code).toBe(0);
});

test.each([
  ["refuses", () => new Response("no", { status: 405 })],
  ["responds with something else", () => new Response("<html>")],
])("a registry that %s means that the check neither passed nor failed", async (_what, respond) => {
  const { code, output } = await ask(respond);
  expect([code, output]).toEqual([3, expect.stringContaining("The registry did not respond")]);
});
