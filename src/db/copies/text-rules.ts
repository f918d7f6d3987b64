import type { Database as Connection } from "bun:sqlite";
import { oneLine, severalLines, usernameCharacters } from "../../core/field.ts";

/**
 * Excludes only what every version has refused in a device id and in a key, which is less than input refuses today,
 * because one old text must not stop all backups.
 */
const visible = /^[^\p{Cc}\p{Z}\u200b-\u200f\u202a-\u202e\u2060-\u206f]*$/u;

/**
 * In the format of `Passwords`, with every cost that a version has used. Another cost could make a sign-in take any
 * amount of memory, and another format would make it fail.
 */
const base64Of32Bytes = "[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]";
const passwordHash = new RegExp(`^\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$${base64Of32Bytes}\\$${base64Of32Bytes}$`);

/**
 * The pattern of texts by the name of their column. These are the rules of input, except that notes and reasons may
 * have invisible characters, which input refuses only since versions that stored them.
 */
const textKinds: { named: RegExp; pattern: RegExp }[] = [
  { named: /(^|_)username$/, pattern: new RegExp(`^[${usernameCharacters}]*$`) },
  { named: /^password_hash$/, pattern: passwordHash },
  { named: /(^key_string|device_id)$/, pattern: visible },
  { named: /^(token|kid|public_key|message_id)$/, pattern: /^[\w-]*$/ },
  {
    named:
      /^(note|label|suspension_reason|given_reason|title|button_text|link_url|target|address|game|name|device_name|prefix|maintenance|external_id|update_message|url|chat_id)$/,
    pattern: new RegExp(oneLine),
  },
  { named: /^last_four$/, pattern: /^[A-Za-z0-9]*$/ },
  { named: /^scopes$/, pattern: /^[a-z: ]*$/ },
  { named: /^(events|type)$/, pattern: /^[a-z. ]*$/ },
  { named: /^addresses$/, pattern: /^[\da-fA-F:./ ]*$/ },
  { named: /^minimum_version$/, pattern: /^[\d.]*$/ },
  { named: /^message$/, pattern: new RegExp(severalLines) },
];

/**
 * Other columns: constraints list their values or require JSON, no one sees them, or they are derived from another
 * column for searches.
 */
const uncheckedTexts = [
  /^(checksum|role|actor_role|reason|switched_off_reason|what|kind|state|action|details|data|tries|result)$/,
  /^(secret|user_agent|sealed_secret|sealed_previous|code_hash|key_hash|idempotency_key|request_hash|file_hash|answer)$/,
  /^(\w+_folded|look_alike|normal_form)$/,
];

/** Returns the pattern of a column's texts, null if they are not checked, or undefined for an unknown column. */
export function textPatternOf(column: string): RegExp | null | undefined {
  const kind = textKinds.find(({ named }) => named.test(column));
  return kind?.pattern ?? (uncheckedTexts.some((named) => named.test(column)) ? null : undefined);
}

/**
 * Returns which text is not one that Latchkey writes, as the end of a sentence, or null. `columns` has each table's text
 * columns. A million rows take a second; GLOB in SQL would take three times as long.
 */
export function textOutOfRules(connection: Connection, columns: Map<string, string[]>): string | null {
  for (const [table, names] of columns) {
    const checked = names.flatMap((name) => {
      const pattern = textPatternOf(name);
      return pattern ? [{ name, pattern }] : [];
    });
    if (checked.length === 0) continue;
    const list = checked.map(({ name }) => `"${name}"`).join(", ");
    for (const row of connection.query<Record<string, string | null>, []>(`SELECT ${list} FROM "${table}"`).iterate()) {
      const wrong = checked.find(({ name, pattern }) => {
        const text = row[name];
        return typeof text === "string" && !pattern.test(text);
      });
      if (wrong) return `a text in ${table}.${wrong.name} is not one that Latchkey writes`;
    }
  }
  return null;
}
