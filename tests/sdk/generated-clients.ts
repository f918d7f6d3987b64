import { rmSync } from "node:fs";
import { join } from "node:path";
import { createClient as generateHeyApi } from "@hey-api/openapi-ts";
import generateTypes, { astToString } from "openapi-typescript";
import { createApiKey, createClient, signInAdmin } from "../client.ts";
import { startLatchkey } from "../process.ts";

const folder = join(import.meta.dir, "../../build/clients");

/** By the names of the programs that use them. Each reads the API document at an address, and writes a client. */
const generators: Record<string, (document: string) => Promise<unknown>> = {
  async "openapi-typescript"(document) {
    const types = astToString(await generateTypes(new URL(document)));
    await Bun.write(join(folder, "openapi-typescript.ts"), types);
  },
  "hey-api": (document) =>
    generateHeyApi({ input: document, output: join(folder, "hey-api"), logs: { level: "silent" } }),
};

/**
 * Generates clients from the API document of a running server, then checks the types of the programs in `clients` and
 * runs them on the server. Returns what went wrong with each, or null.
 */
export async function tryGeneratedClients(): Promise<[string, string | null][]> {
  rmSync(folder, { recursive: true, force: true });
  const server = await startLatchkey();
  try {
    const admin = await signInAdmin(() => createClient(server.url));
    const apiKey = await createApiKey(admin, "admin", { scopes: ["verify", "keys:order", "keys:read"] });
    const tried = Object.entries(generators).map(async ([name, generate]): Promise<[string, string | null]> => {
      const program = join(import.meta.dir, "clients", `${name}.ts`);
      try {
        await generate(`${server.url}/swagger/json`);
        await Bun.$`${process.execPath} check --no-script ${program} && ${process.execPath} ${program} ${server.url} ${apiKey}`.quiet();
        return [name, null];
      } catch (error) {
        return [name, error instanceof Bun.$.ShellError ? `${error.stdout}${error.stderr}` : String(error)];
      }
    });
    return await Promise.all(tried);
  } finally {
    await server.stop();
  }
}
