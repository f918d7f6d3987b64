import { OperatorError } from "../../core/operator-error.ts";
import { contentRules } from "../copies/content-rules.ts";

/**
 * What `checkDatabase` asks of a file's rows, asked of a PostgreSQL: servers may go on. That its rows refer to one another and keep their
 * bounds is the database's own work. Throws `OperatorError`.
 */
export async function checkPostgres(connection: Bun.ReservedSQL): Promise<void> {
  for (const { broken, problem } of contentRules) {
    const rows: unknown[] = await connection.unsafe(broken);
    if (rows.length > 0) throw new OperatorError(`The database is damaged: ${problem}.`);
  }
}
