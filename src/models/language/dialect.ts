import { isLociError } from "../../schema/index.ts";

/** What one server knows of the protocol, as far as its refusals have told. */
export interface Dialect {
  maxTokens: "max_tokens" | "max_completion_tokens";
  /** Fields that are left out, because it refuses a request that has them. */
  readonly without: Set<(typeof REFUSED)[number][0]>;
}

export function newDialect(): Dialect {
  return { maxTokens: "max_tokens", without: new Set() };
}

/**
 * Learns from a refusal: servers call one limit by two names, take no temperature for models that reason, or know no
 * schema for an answer. True if there is something to do without that has not been left out before, so that asking
 * again ends.
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
  // Before the schema itself: a server may take one that it does not hold the model to.
  ["strict", /\bstrict\b|invalid schema|additionalProperties|schema for (?:response_format|function)/i],
  ["response_format", /response_format|json_schema|structured output/i],
  ["seed", /\bseed\b/i],
  ["stream_options", /stream_options/i],
] as const;
