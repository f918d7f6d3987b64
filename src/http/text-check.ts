import type { Static, TObject } from "@sinclair/typebox";
import type { TypeCheck } from "@sinclair/typebox/compiler";
import { Check } from "@sinclair/typebox/value";

/**
 * What judges by a schema whose fields are texts that all must be there. To compile one takes 3 to 5 ms while all is cold: who asks first is
 * answered without, and it is compiled as soon as they are.
 */
export function textCheckOf<Schema extends TObject>(schema: Schema): (value: unknown) => value is Static<Schema> {
  let compiled: TypeCheck<Schema> | null = null;
  return (value): value is Static<Schema> => {
    if (compiled) return compiled.Check(value);
    setImmediate(async () => {
      const { TypeCompiler } = await import("@sinclair/typebox/compiler");
      compiled ??= TypeCompiler.Compile(schema);
    });
    return checkTexts(schema, value);
  };
}

/** As what is compiled. TypeBox's own `Check` asks a pattern of what is no text too: of a field that is missing it sees "undefined". */
export function checkTexts<Schema extends TObject>(schema: Schema, value: unknown): value is Static<Schema> {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  return Object.keys(schema.properties).every((name) => typeof fields[name] === "string") && Check(schema, value);
}
