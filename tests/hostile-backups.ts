import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type BackupStage, passwordHash, withDatabase } from "./backup-stage.ts";

/** Files that may be passed to `restore` by mistake or on purpose, with a part of the error message. */
type BrokenFile = [what: string, sentence: string, make: (file: string, stage: BackupStage) => void];
type ChangedBackup = [what: string, sql: string, sentence: string];

/** Files that are not an intact Latchkey database. Some are made from the stage's backup. */
export const brokenFiles: BrokenFile[] = [
  ["a missing file", "There is no file", () => {}],
  ["a link to nothing", "There is no file", (file) => symlinkSync("/nowhere/at/all", file)],
  ["a link to itself", "cannot be read", (file) => symlinkSync(file, file)],
  ["a folder", "is not a file", (file) => mkdirSync(file)],
  ["a pipe without a writer", "is not a file", (file) => void Bun.spawnSync(["mkfifo", file])],
  ["a device that never ends", "is not a file", (file) => symlinkSync("/dev/zero", file)],
  ["an empty file", "not a Latchkey database", (file) => writeFileSync(file, "")],
  ["a text", "not a Latchkey database", (file) => writeFileSync(file, "SELECT 1;".repeat(2_000))],
  ["a compressed text", "not a Latchkey database", (file) => writeFileSync(file, Bun.zstdCompressSync("text"))],
  [
    "a small compressed file of 128 MiB",
    "decompressed, it is over 100 times as large",
    (file) => writeFileSync(file, Bun.zstdCompressSync(Buffer.concat([sqliteHeader(1), Buffer.alloc(2 ** 27)]))),
  ],
  [
    "a database of 64 TB",
    "It needs 70368745 MB, but ",
    (file) => writeFileSync(file, Bun.zstdCompressSync(sqliteHeader(2 ** 30))),
  ],
  ["a header without a database", "not a Latchkey database", (file) => writeFileSync(file, "SQLite format 3\0")],
  [
    "an encrypted database",
    "not a Latchkey database",
    (file, stage) => writeFileSync(file, encrypted(backupOf(stage))),
  ],
  ["half a backup", "damaged", (file, stage) => writeFileSync(file, backupOf(stage).subarray(0, 40_000))],
  ["a backup with torn pages", "damaged", (file, stage) => writeFileSync(file, torn(backupOf(stage)))],
  ["a database of another program", "not a Latchkey database", (file) => foreign(file, 0)],
  ["a database with another application id", "not a Latchkey database", (file) => foreign(file, 0x0f055111)],
];

/** The header of a database with this many pages of 65,536 bytes. */
function sqliteHeader(pages: number): Buffer {
  const header = Buffer.alloc(100);
  header.write("SQLite format 3\0");
  header.writeUInt16BE(1, 16);
  header.writeUInt32BE(pages, 28);
  return header;
}

function backupOf({ backup }: BackupStage): Buffer {
  return readFileSync(backup);
}

function encrypted(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte ^ ((index * 31 + 7) % 256)));
}

function torn(bytes: Buffer): Buffer {
  for (let at = 8_192; at < bytes.length; at += 4_096) bytes.fill(0xaa, at, at + 600);
  return bytes;
}

function foreign(file: string, applicationId: number): void {
  withDatabase(file, (connection) => connection.run(`PRAGMA application_id = ${applicationId}; CREATE TABLE t (id)`));
}

const oldPassword = "AFTER UPDATE ON accounts BEGIN UPDATE accounts SET password_hash = 'known' WHERE id = new.id; END";
const endless = "AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT";
const tables = Array.from({ length: 6_000 }, (_, index) => `CREATE TABLE t${index} (a, b, c);`);
const manyTables = `BEGIN; ${tables.join("")} COMMIT`;
const dropLedger = `INSERT INTO accounts (id, role, username, password_hash, created_at) VALUES (50, 'reseller', 'any', '${passwordHash}', 1);
  INSERT INTO resellers (id) VALUES (50); DROP TABLE credit_ledger`;
const again = (table: string, columns: string) =>
  `PRAGMA foreign_keys = OFF; DROP TABLE ${table}; CREATE TABLE ${table} ${columns}`;

/** Latchkey backups whose schema was changed by SQL. */
export const otherSchemas: ChangedBackup[] = [
  ["a trigger", "CREATE TRIGGER backdoor AFTER INSERT ON accounts BEGIN DELETE FROM accounts; END", "trigger backdoor"],
  [
    "a trigger named like a statistics table",
    `CREATE TRIGGER sqliteXstat_backdoor ${oldPassword}`,
    "trigger sqliteXstat_backdoor",
  ],
  ["a view named like a statistics table", "CREATE VIEW sqliteXstat1 AS SELECT 1", "view sqliteXstat1"],
  ["a table named like a statistics table", "CREATE TABLE sqliteXstat1 (tbl, idx, stat)", "table sqliteXstat1"],
  ["an index named like a statistics table", "CREATE INDEX sqliteXstat1 ON accounts (role)", "index sqliteXstat1"],
  ["a virtual table named like a statistics table", "CREATE VIRTUAL TABLE sqliteXstat1 USING fts5 (a)", "sqliteXstat1"],
  ["an extra table", "CREATE TABLE extra (id INTEGER)", "table extra"],
  ["an extra index", "CREATE INDEX extra ON accounts (created_at)", "index extra"],
  ["an extra view", "CREATE VIEW extra AS SELECT 1", "view extra"],
  ["thousands of tables", manyTables, "table t0"],
  [
    "a name with terminal escape sequences",
    'CREATE TABLE "\u001b[2J\u001b]0;owned\u0007" (id)',
    "entry with an invalid name",
  ],
  ["a missing index", "DROP INDEX sessions_account", "lacks the index sessions_account"],
  [
    "a missing trigger",
    "DROP TRIGGER credit_ledger_is_never_erased",
    "lacks the trigger credit_ledger_is_never_erased",
  ],
  ["a missing table", "DROP TABLE known_addresses", "lacks the table known_addresses"],
  ["an extra column", "ALTER TABLE accounts ADD COLUMN extra TEXT", "a different table accounts"],
  [
    "a generated column",
    "ALTER TABLE accounts ADD COLUMN extra TEXT AS (upper(username))",
    "a different table accounts",
  ],
  [
    "another collation",
    again("known_addresses", "(account_id, address COLLATE NOCASE)"),
    "a different table known_addresses",
  ],
  [
    "an endless view instead of the ledger",
    `${dropLedger}; CREATE VIEW credit_ledger ${endless} i AS reseller_id, i AS amount_tenths FROM n`,
    "view credit_ledger",
  ],
  [
    "an endless view instead of the list of migrations",
    `DROP TABLE schema_migrations; CREATE VIEW schema_migrations ${endless} i AS version, '' AS name, '' AS checksum FROM n`,
    "view schema_migrations",
  ],
  ["no list of migrations", "DROP TABLE schema_migrations", "lacks the table schema_migrations"],
  ["no migrations", "DELETE FROM schema_migrations", "is still empty"],
];

const unchecked = (sql: string) => `PRAGMA ignore_check_constraints = ON; ${sql}`;
const key = (set: string) => `
  INSERT INTO license_keys (id, key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by)
    VALUES (7, 'KEY-7', 'key-7', 3, 1, 1, 2, 1);
  UPDATE license_keys SET ${set}`;
const update = "INSERT INTO online_updates (title, message, link_url, is_active, created_at, updated_at) VALUES";
const wrongText = (column: string) => `a text in ${column} is not one that Latchkey writes`;
const rich = `INSERT INTO accounts (id, role, username, password_hash, created_at) VALUES (50, 'reseller', 'rich', '${passwordHash}', 1)`;
const apiKey = `INSERT INTO api_keys (account_id, name, key_hash, last_four, created_at, scopes)
  VALUES (1, 'Shop', '${"0".repeat(64)}', 'x7Qd', 1,`;
const webhook = ({ events = "order.created", owner = 0 }) => `
  INSERT INTO webhooks (id, account_id, owner, kind, url, events, is_active, created_at)
    VALUES (1, 1, ${owner}, 'discord', 'https://example.com', '${events}', 1, 1)`;
const shopLink = (terms: string) => `
  INSERT INTO shop_links (account_id, ref, name, game_id, terms, sealed_secret, is_active, created_at)
    VALUES (1, 'ref', 'Shop', 3, '${terms}', 'x', 1, 1)`;
const delivery = (columns: string) => `${webhook({})};
  INSERT INTO webhook_deliveries (webhook_id, message_id, at, type, data, tries) VALUES (1, 'any', 1, ${columns})`;
const maxSafe = Number.MAX_SAFE_INTEGER;

/** Latchkey backups with rows that the product would never write, inserted by SQL. */
export const otherContents: ChangedBackup[] = [
  [
    "an escape sequence in a username",
    "UPDATE accounts SET username = char(27) || '[2J'",
    wrongText("accounts.username"),
  ],
  ["line breaks in a username", "UPDATE accounts SET username = 'one' || char(13, 10)", wrongText("accounts.username")],
  ["a password hash that is none", "UPDATE accounts SET password_hash = 'x'", wrongText("accounts.password_hash")],
  [
    "a password hash that takes a gigabyte",
    "UPDATE accounts SET password_hash = replace(password_hash, 'm=19456', 'm=1048576')",
    wrongText("accounts.password_hash"),
  ],
  [
    "a password hash that takes an hour",
    "UPDATE accounts SET password_hash = replace(password_hash, 't=2', 't=99999')",
    wrongText("accounts.password_hash"),
  ],
  [
    "a password hash with bits that cannot be decoded",
    "UPDATE accounts SET password_hash = substr(password_hash, 1, length(password_hash) - 1) || 'B'",
    wrongText("accounts.password_hash"),
  ],
  ["a key text with a control character", key("key_string = 'K' || char(7)"), wrongText("license_keys.key_string")],
  ["a note with a line break", key("note = 'one' || char(10) || 'two'"), wrongText("license_keys.note")],
  ["a note that a NUL cuts short", key("note = 'one' || char(0, 27)"), wrongText("license_keys.note")],
  [
    "a device id that is turned round",
    `${key("note = NULL")}; INSERT INTO key_devices (key_id, device_id, first_connected_at) VALUES (7, char(0x202e) || 'one', 1)`,
    wrongText("key_devices.device_id"),
  ],
  [
    "a token with a quotation mark",
    `INSERT INTO referral_tokens (token, credits_tenths, created_at, created_by) VALUES ('token-of-twenty-letters"', 0, 1, 1)`,
    wrongText("referral_tokens.token"),
  ],
  [
    "an escape sequence in a label",
    `INSERT INTO referral_tokens (token, credits_tenths, created_at, created_by, label)
      VALUES ('token-of-twenty-letters', 0, 1, 1, 'for' || char(27))`,
    wrongText("referral_tokens.label"),
  ],
  [
    "an escape sequence in a title",
    `${update} ('t' || char(27), 'm', NULL, 1, 1, 1)`,
    wrongText("online_updates.title"),
  ],
  [
    "an escape sequence in a message",
    `${update} ('t', 'm' || char(27), NULL, 1, 1, 1)`,
    wrongText("online_updates.message"),
  ],
  [
    "a link with a line break",
    `${update} ('t', 'm', 'https://a' || char(10), 1, 1, 1)`,
    wrongText("online_updates.link_url"),
  ],
  [
    "an escape sequence in the audit log",
    "INSERT INTO audit (at, action, target, details) VALUES (1, 'signed_in', char(27), '{}')",
    wrongText("audit.target"),
  ],
  [
    "a shop link whose header breaks a request",
    shopLink(
      '{"durationId":4,"deviceLimit":1,"starts":"creation","signature":{"header":"X\\n","algorithm":"sha256"},"saleId":["id"],"quantity":null,"maxQuantity":1,"creditsPerDay":null}',
    ),
    wrongText("shop_links.terms"),
  ],
  ["a shop link without terms", shopLink("{}"), wrongText("shop_links.terms")],
  ["a scope that there is not", `${apiKey} 'verify keys:write')`, wrongText("api_keys.scopes")],
  [
    "a right that there is not",
    "INSERT INTO staff (id, role, rights) VALUES (1, 'admin', 'keys:read verify')",
    wrongText("staff.rights"),
  ],
  ["an API key without scopes", `${apiKey} '')`, wrongText("api_keys.scopes")],
  ["an event that there is not", webhook({ events: "key.stolen" }), wrongText("webhooks.events")],
  ["a delivery of such an event", delivery("'key.stolen', '{}', '[]'"), wrongText("webhook_deliveries.type")],
  ...["[1]", '[{"at":"2025-13-01T00:00:00.000Z","status":200,"ms":1,"answer":""}]'].map(
    (tries): ChangedBackup => [
      `attempts such as ${tries}`,
      delivery(`'webhook.test', '{}', '${tries}'`),
      wrongText("webhook_deliveries.tries"),
    ],
  ),
  ["a webhook with another account's events", webhook({ owner: 7 }), "a webhook gets the events of another account"],
  [
    "figures of a reseller that there is not",
    "INSERT INTO verdict_totals VALUES (1, 7, 0, 1, 0)",
    "figures belong to no reseller",
  ],
  ["a prefix with a space", "UPDATE games SET prefix = 'A B' WHERE id = 1", wrongText("games.prefix")],
  ["a name with a slash", "UPDATE games SET name = 'A/B' WHERE id = 1", wrongText("games.name")],
  ["a version that is none", "UPDATE games SET minimum_version = '1..2'", wrongText("games.minimum_version")],
  [
    "an action that there is not",
    "INSERT INTO audit (at, action, target, details) VALUES (1, 'stolen', 'any', '{}')",
    wrongText("audit.action"),
  ],
  [
    "details that are no plain values",
    `INSERT INTO audit (at, action, target, details) VALUES (1, 'signed_in', 'any', '{"by":{}}')`,
    wrongText("audit.details"),
  ],
  ...["5", '{"line":2,"key":null,"problem":"x"}', '{"line":2,"text":"K","game":"G"}'].map(
    (details): ChangedBackup => [
      `a line of an import such as ${details}`,
      `INSERT INTO imports (id, made_by, created_at, is_dry_run, state) VALUES (1, 1, 1, 0, 'running');
       INSERT INTO import_lines (import_id, line, details) VALUES (1, 2, '${details}')`,
      wrongText("import_lines.details"),
    ],
  ),
  ["an unknown role", unchecked("UPDATE accounts SET role = 'superuser'"), "accounts"],
  ["a link that is a script", unchecked(`${update} ('t', 'm', 'javascript:alert(1)', 1, 1, 1)`), "online_updates"],
  ["a negative limit", unchecked(key("device_limit = -1")), "license_keys"],
  [
    "more devices on a key than its limit",
    `${key("note = NULL")};
     INSERT INTO key_totals (owner, game_id, expiry_day, made_count) VALUES (0, 3, 0, 1);
     INSERT INTO key_devices (key_id, device_id, first_connected_at) VALUES (7, 'one', 1), (7, 'two', 1)`,
    "a key has more devices than its limit",
  ],
  [
    "a balance that differs from its ledger",
    `${rich}; INSERT INTO resellers (id, credits_tenths) VALUES (50, 999)`,
    "a balance is not the sum of its ledger",
  ],
  [
    "a grant of which more was taken back than was granted",
    `${rich}; INSERT INTO resellers (id, credits_tenths) VALUES (50, 30);
     INSERT INTO credit_ledger VALUES
       (1, 50, 10, 10, 'admin_grant', 1, 1, NULL, NULL, NULL, NULL), (2, 50, 40, 50, 'token_bonus', 50, 1, NULL, NULL, NULL, NULL),
       (3, 50, -10, 40, 'grant_taken_back', 1, 1, NULL, NULL, 1, NULL), (4, 50, -10, 30, 'grant_taken_back', 1, 1, NULL, NULL, 1, NULL)`,
    "more of a grant was taken back than was granted",
  ],
  [
    "a refund of more than was paid",
    `${rich}; INSERT INTO resellers (id, credits_tenths, key_count) VALUES (50, 10, 1); ${key("reseller_id = 50")};
     INSERT INTO key_totals (owner, game_id, expiry_day, made_count) VALUES (50, 3, 0, 1);
     INSERT INTO credit_ledger VALUES (1, 50, 10, 10, 'key_refund', 1, 1, NULL, NULL, NULL, 7)`,
    "more was given back for a key than was paid, or to another reseller",
  ],
  [
    "an order with fewer keys than its count",
    `INSERT INTO orders (id, made_by, game_id, device_limit, days, key_count, cost_tenths, created_at)
       VALUES (7, 1, 3, 1, 30, 2, 0, 1);
     ${key("order_id = 7")};
     INSERT INTO key_totals (owner, game_id, expiry_day, made_count) VALUES (0, 3, 0, 1)`,
    "an order does not match its keys and price",
  ],
  [
    "more credits spent on a day than the orders cost",
    "INSERT INTO order_totals (made_day, game_id, shard, key_count, cost_tenths) VALUES (20000, 3, 0, 0, 10)",
    "the totals of the orders do not add up",
  ],
  [
    "more credits spent by a reseller on a day than the orders cost",
    `${rich}; INSERT INTO resellers (id) VALUES (50);
     INSERT INTO reseller_totals (made_day, reseller_id, key_count, cost_tenths) VALUES (20000, 50, 0, 10)`,
    "the totals of the orders do not add up",
  ],
  [
    "a row that refers to nothing",
    "INSERT INTO known_addresses VALUES (12345, '::1', 1)",
    "refers to one that does not exist",
  ],
  ["a time beyond the calendar", key(`expires_at = ${maxSafe}`), "license_keys.expires_at is out of bounds"],
  ["a negative time", "UPDATE accounts SET created_at = -1", "accounts.created_at is out of bounds"],
  [
    "an id beyond JavaScript's integers",
    "UPDATE accounts SET id = 9223372036854775807 WHERE id = 1; DELETE FROM sessions",
    "accounts.id is out of bounds",
  ],
  [
    "an amount beyond the maximum balance",
    `${rich}; INSERT INTO resellers (id) VALUES (50);
     INSERT INTO credit_ledger VALUES (1, 50, ${maxSafe}, 0, 'admin_grant', 1, 1, NULL, NULL, NULL, NULL)`,
    "credit_ledger.amount_tenths is out of bounds",
  ],
  ["an exhausted id counter", "UPDATE sqlite_sequence SET seq = 9223372036854775807", "a counter of ids"],
  ["an id counter that is not a number", "UPDATE sqlite_sequence SET seq = 'many'", "a counter of ids"],
  [
    "a newer version",
    "INSERT INTO schema_migrations VALUES (9999, '9999_later', 'x', 1)",
    "newer Latchkey (it has migration 9999_later)",
  ],
  [
    "a newer version with a control character in its name",
    "INSERT INTO schema_migrations VALUES (9999, char(27) || '[2J', 'x', 1)",
    "newer Latchkey (it has migration 9999)",
  ],
  [
    "edited migrations",
    "UPDATE schema_migrations SET checksum = 'edited'",
    "differs from the one that was applied to this database",
  ],
];
