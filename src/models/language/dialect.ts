import { isLociError } from "../../schema/index.ts";

/** What a server supports, as learnt from its refusals. */
export interface Dialect {
  maxTokens: "max_tokens" | "max_completion_tokens";
  /** Fields to omit, because the server refuses requests with them. */
  readonly without: Set<(typeof REFUSED)[number][0]>;
}

export function newDialect(): Dialect {
  return { maxTokens: "max_tokens", without: new Set() };
}

/**
 * Learns from a refusal: servers use two names for one limit, refuse a temperature for reasoning models, or do not
 * know answer schemas. Returns true if there is a new field to omit, so that retrying terminates.
 */
export function learnFrom(error: unknown, dialect: Dialect): boolean {
  if (!isLociError(error, "model-failed") || !/answered (?:400|422)/.test(error.message)) return false;
  const said = error.message.slice(error.message.indexOf("answered"));
  if (/max_completion_tokens/.test(said) && dialect.maxTokens === "max_tokens") {
    dialect.maxTokens = "max_completion_tokens";
    return true;
  }
  for (const [field, pattern] of REFUSED) {
    if (dialect.without.has(field) || !pattern.test(said)) continue;
    dialect.without.add(field);
    return true;
  }
  return false;
}

const REFUSED = [
  ["reasoning_effort", /reasoning_effort|reasoning effort/i],
  ["tool_choice", /tool_choice|tool choice/i],
  ["temperature", /\btemperature\b/i],
  // Before the schema itself: a server may accept one without enforcing it.
  ["strict", /\bstrict\b|invalid schema|additionalProperties|schema for (?:response_format|function)/i],
  ["response_format", /response_format|json_schema|structured output/i],
  ["seed", /\bseed\b/i],
  ["stream_options", /stream_options/i],
] as const;
