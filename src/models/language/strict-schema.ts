import type { JsonSchema } from "./language-model.ts";

/** JSON schema keywords that strict servers refuse; zod checks them on the answer. */
const REFUSED = new Set([
  ...["default", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "propertyNames"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "$schema"],
]);

/**
 * A schema in the form required for strict enforcement: every object closed, every field required, optional fields
 * nullable. Undefined if a schema has an open object, which no such server accepts.
 */
export function strictSchema(schema: JsonSchema): JsonSchema | undefined {
  try {
    return strict(schema) as JsonSchema;
  } catch (error) {
    if (error instanceof OpenObject) return undefined;
    throw error;
  }
}

class OpenObject extends Error {}

function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  if (node === null || typeof node !== "object") return node;
  const given = node as Readonly<Record<string, unknown>>;
  // A schema that accepts any value cannot be enforced.
  if (Object.keys(given).length === 0) throw new OpenObject();
  const rest = Object.entries(given).filter(([name]) => !REFUSED.has(name) && name !== "properties");
  const kept = Object.fromEntries(
    rest.map(([name, value]) => (NESTED.has(name) ? [name, strict(value)] : [name, value])),
  );
  if (given["type"] !== "object") return kept;
  if (given["properties"] === undefined) throw new OpenObject();
  const required = new Set((given["required"] as readonly string[] | undefined) ?? []);
  const properties = Object.entries(given["properties"] as Record<string, unknown>).map(([name, value]) => [
    name,
    required.has(name) ? strict(value) : nullable(strict(value)),
  ]);
  return {
    ...kept,
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

const NESTED = new Set(["items", "anyOf", "allOf", "oneOf", "prefixItems"]);

function nullable(schema: unknown): unknown {
  const { anyOf, ...plain } = schema as {
    readonly anyOf?: readonly { readonly type?: string }[];
    readonly type?: string;
    readonly enum?: readonly unknown[];
  };
  if (anyOf === undefined && typeof plain.type === "string" && plain.type !== "object")
    return { ...plain, type: [plain.type, "null"], ...(plain.enum && { enum: [...plain.enum, null] }) };
  if (anyOf?.some(({ type }) => type === "null")) return schema;
  return { anyOf: anyOf ? [...anyOf, { type: "null" }] : [schema, { type: "null" }] };
}

/** Removes nulls that a strict schema forced for optional fields, so that zod applies its defaults. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutNulls(one)]));
}
