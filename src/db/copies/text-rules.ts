import type { Database as Connection } from "bun:sqlite";
import { type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import {
  nameOf,
  noteCharactersMax,
  oneLine,
  pathNameOf,
  severalLines,
  usernameCharacters,
  visibleLine,
} from "../../core/field.ts";
import { untilStarted } from "../../core/key-time.ts";
import { actions } from "../../facts/audit-entry.ts";
import { adminEventTypes, testEventType } from "../../facts/webhook-events.ts";

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

/** `accounts/scopes.ts` has the list, which this folder cannot import. */
const scopes = [
  ...["verify", "keys:read", "keys:order", "keys:manage", "credits:read", "resellers:read", "resellers:manage"],
  ...["tokens:manage", "updates:manage", "stats:read", "audit:read"],
];

/** One of these words, or several that are separated by spaces. */
function wordsOf(words: readonly string[], more: "" | "*" = "*"): RegExp {
  const word = `(?:${words.join("|").replaceAll(".", "\\.")})`;
  return new RegExp(`^${word}${more && `(?: ${word})*`}$`);
}

type TextRule = Pick<RegExp, "test">;

/** JSON that a list shows, or that work in the background reads. */
function json(schema: TSchema): TextRule {
  let shape: ReturnType<typeof TypeCompiler.Compile> | undefined;
  return {
    test(text) {
      shape ??= TypeCompiler.Compile(schema);
      try {
        return shape.Check(JSON.parse(text));
      } catch {
        return false;
      }
    },
  };
}

const orNull = (schema: TSchema) => Type.Union([Type.Null(), schema]);
const time = Type.Integer({ minimum: 0, maximum: untilStarted });
const line = Type.Integer({ minimum: 1 });

const deliveryTry = Type.Object({
  at: Type.String({ pattern: "^\\d{4}-(0\\d|1[0-2])-([0-2]\\d|3[01])T([01]\\d|2[0-3])(:[0-5]\\d){2}\\.\\d{3}Z$" }),
  status: orNull(Type.Integer()),
  ms: Type.Integer(),
  answer: Type.String(),
});

/** A line of a file as an import reads it: its problem, or the key that it becomes. */
const importedLine = Type.Union([
  Type.Object({ line, key: Type.String(), problem: Type.String() }),
  Type.Object({
    ...{ line, text: Type.RegExp(visible, { minLength: 1 }), normalForm: Type.String({ minLength: 1 }) },
    ...{ game: Type.String(), owner: orNull(Type.String()), startsAtFirstUse: Type.Boolean(), createdAt: time },
    ...{ startedAt: orNull(time), expiresAt: orNull(time), pausedAt: orNull(time), revokedAt: orNull(time) },
    ...{ durationHours: orNull(line), deviceLimit: Type.Integer({ minimum: 1, maximum: 100 }) },
    note: orNull(Type.String({ maxLength: noteCharactersMax, pattern: oneLine })),
    devices: Type.Array(Type.RegExp(visible)),
  }),
]);

const path = Type.String({ pattern: "^[\\w.-]{1,200}$" });

/** What a shop link sells, and where a shop's body has the parts of a sale. */
const linkTerms = Type.Object({
  ...{ durationId: line, deviceLimit: Type.Integer({ minimum: 1, maximum: 100 }), starts: Type.String() },
  signature: Type.Object({ header: Type.String({ pattern: "^[\\w-]+$" }), algorithm: Type.RegExp(/^sha(256|512)$/) }),
  ...{ saleId: Type.Array(path), quantity: orNull(path), maxQuantity: line, creditsPerDay: orNull(Type.Number()) },
});

/**
 * The rule of texts by the name of their column, or by `table.column`. These are the rules of input, except that notes
 * and reasons may have invisible characters, which input refuses only since versions that stored them.
 */
const textKinds: { named: RegExp; pattern: TextRule }[] = [
  { named: /^(games|game_names|price_lists)\.name$/, pattern: pathNameOf(40) },
  { named: /^durations\.label$/, pattern: nameOf(40) },
  { named: /^(maintenance|update_message)$/, pattern: visibleLine },
  { named: /^prefix$/, pattern: /^[A-Z0-9]{0,8}$/ },
  { named: /^minimum_version$/, pattern: /^\d{1,9}(\.\d{1,9}){0,3}$/ },
  { named: /^scopes$/, pattern: wordsOf(scopes) },
  { named: /^rights$/, pattern: wordsOf(scopes.filter((scope) => scope !== "verify")) },
  { named: /^events$/, pattern: wordsOf(adminEventTypes) },
  { named: /^type$/, pattern: wordsOf([...adminEventTypes, testEventType], "") },
  { named: /^action$/, pattern: wordsOf(actions, "") },
  { named: /^tries$/, pattern: json(Type.Array(deliveryTry)) },
  { named: /^terms$/, pattern: json(linkTerms) },
  { named: /^code$/, pattern: /^[A-Z_]*$/ },
  { named: /^answer$/, pattern: json(Type.Object({})) },
  { named: /^import_lines\.details$/, pattern: json(importedLine) },
  {
    named: /^audit\.details$/,
    pattern: json(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
  },
  { named: /(^|_)username$/, pattern: new RegExp(`^[${usernameCharacters}]*$`) },
  { named: /^password_hash$/, pattern: passwordHash },
  { named: /(^key_string|device_id)$/, pattern: visible },
  { named: /^(token|kid|public_key|message_id)$/, pattern: /^[\w-]*$/ },
  {
    named:
      /^(note|label|suspension_reason|given_reason|reseller_note|title|button_text|link_url|target|address|game|name|device_name|external_id|sale_id|shop_link_name|url|chat_id|file_name)$/,
    pattern: new RegExp(oneLine),
  },
  { named: /^(ref|last_four)$/, pattern: /^[A-Za-z0-9]*$/ },
  { named: /^hashes(_before)?$/, pattern: /^[\da-z ]*$/ },
  { named: /^addresses$/, pattern: /^[\da-fA-F:./ ]*$/ },
  { named: /^message$/, pattern: new RegExp(severalLines) },
];

/** Why the texts of other columns are not checked. */
const uncheckedTexts: { named: RegExp; because: string }[] = [
  { named: /^import_lines\.(reason|field|value|mistake)$/, because: "it may have any text of a file" },
  {
    named: /^(role|actor_role|reason|switched_off_reason|what|kind|state|result)$/,
    because: "a constraint lists them",
  },
  { named: /^checksum$/, because: "it is compared with those of the migrations" },
  { named: /^(secret|\w+_hash|idempotency_key)$/, because: "it is only compared with others" },
  { named: /^sealed_(secret|previous)$/, because: "SECRET opens it or does not" },
  { named: /^data$/, because: "a constraint requires JSON, which only the receiver of an event reads" },
  { named: /^user_agent$/, because: "a list shows any text" },
  { named: /^(\w+_folded|look_alike|normal_form)$/, because: "it is derived from another column, for searches" },
];

/**
 * Returns the rule of a column's texts, null if there is a reason not to check them, or undefined for an unknown column.
 */
export function textRuleOf(table: string, column: string): TextRule | null | undefined {
  const isIt = ({ named }: { named: RegExp }) => named.test(`${table}.${column}`) || named.test(column);
  const isUnchecked = uncheckedTexts.some(isIt);
  return textKinds.find(isIt)?.pattern ?? (isUnchecked ? null : undefined);
}

/**
 * Returns which text is not one that Latchkey writes, as the end of a sentence, or null. `columns` has each table's text
 * columns. A million rows take a second; GLOB in SQL would take three times as long.
 */
export function textOutOfRules(connection: Connection, columns: Map<string, string[]>): string | null {
  for (const [table, names] of columns) {
    const checked = names.flatMap((name) => {
      const pattern = textRuleOf(table, name);
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
