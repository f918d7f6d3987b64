import { namedSchemas } from "./named-schemas.ts";

export type Schema = Record<string, unknown> & { anyOf?: Schema[] };

/**
 * Reads JSON without `additionalProperties: false`, which Elysia adds to a schema when the first call needs it. Calls
 * accept other properties, and ignore them.
 */
export function withoutElysiasMarks<Read>(json: string): Read {
  return JSON.parse(json, (name, value) => (name === "additionalProperties" && value === false ? undefined : value));
}

/** The named schemas as the collector writes them. */
const names = Object.entries(withoutElysiasMarks<Record<string, Schema>>(JSON.stringify(namedSchemas)));

/**
 * Turns the schemas of the routes into those of OpenAPI 3.0. A schema that is equal to a named one becomes a reference
 * to it, and `named` collects those.
 */
export function createSchemaRepair() {
  const named: Record<string, Schema> = {};
  return { named, repaired };

  function repaired(schema: Schema): Schema {
    const [name] = names.find(([, each]) => Bun.deepEquals(each, schema)) ?? [];
    if (name === undefined) return inline(schema);
    named[name] ??= inline(schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /**
   * TypeBox writes JSON Schema. OpenAPI 3.0 has no `const`, no `null` type, no `examples`, no flags, and none of our
   * own keywords.
   */
  function inline(schema: Schema): Schema {
    const {
      says: _says,
      asInteger,
      examples,
      const: constant,
      anyOf,
      ...rest
    } = schema.type === "RegExp" ? textOf(schema) : schema;
    if (asInteger) {
      const { pattern: _pattern, ...integer } = rest;
      return { ...integer, type: "integer" };
    }
    const result = withRepairedMembers(rest);
    if (Array.isArray(examples) && examples.length > 0) result.example = examples[0];
    if (constant !== undefined) result.enum = [constant];
    return anyOf ? { ...result, ...unionOf(anyOf) } : result;
  }

  function unionOf(anyOf: Schema[]): Schema {
    const members = anyOf.filter(({ type }) => type !== "null");
    const [only, ...others] = members;
    const isNullable = members.length < anyOf.length;
    // A reference cannot be nullable.
    if (only && others.length === 0) return nullableIf(isNullable, inline(only));
    const shapes = members.map(repaired);
    const type = shapes[0]?.type;
    const isEnumeration = shapes.every((shape) => Array.isArray(shape.enum) && shape.type === type);
    return nullableIf(isNullable, isEnumeration ? { type, enum: shapes.flatMap(valuesOf) } : { anyOf: shapes });
  }

  function withRepairedMembers(schema: Schema): Schema {
    const result: Schema = { ...schema };
    if (schema.properties) {
      const properties = Object.entries(schema.properties as Record<string, Schema>);
      result.properties = Object.fromEntries(properties.map(([name, property]) => [name, repaired(property)]));
    }
    if (schema.items) result.items = repaired(schema.items as Schema);
    return result;
  }
}

export type SchemaRepair = ReturnType<typeof createSchemaRepair>;

/**
 * Most programs cannot read a pattern that needs the flag `u`. A schema that has one may have a plainer `pattern`
 * beside it, which is documented.
 */
function textOf({ source: _source, flags: _flags, ...schema }: Schema): Schema {
  return { ...schema, type: "string" };
}

/** An enumeration allows only the values it lists, so a nullable one also lists null. */
function nullableIf(isNullable: boolean, schema: Schema): Schema {
  if (!isNullable) return schema;
  return { ...schema, nullable: true, ...(schema.enum !== undefined && { enum: [...valuesOf(schema), null] }) };
}

function valuesOf({ enum: values }: Schema): unknown[] {
  return values as unknown[];
}
