import { Elysia } from "elysia";
import { type Database, ping } from "../database/database.ts";

/** `/healthz`, for whoever keeps the server running: a 200 says that the process answers, and that its database does. */
export function createHealth({ database }: { database: Pick<Database, "read"> }) {
  return new Elysia({ name: "health" }).get(
    "/healthz",
    async () => {
      await ping(database.read);
      return { status: "ok" };
    },
    { detail: { hide: true } },
  );
}
