import { z } from "zod";
import { LIMITS } from "../../schema/index.ts";
import type { Wire } from "./http.ts";

const MEBIBYTE = 1_048_576;

/** Time-outs, retries and byte limits of a client; each kind of endpoint has its own. */
export interface EndpointDefaults {
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxPauseMs: number;
  readonly maxReplyBytes: number;
  readonly mostReplyBytes: number;
}

/** The options of every server with OpenAI's protocol: its address, the model, and every limit. */
export function endpointSchema(defaults: EndpointDefaults) {
  return z.object({
    /** Up to `/v1`. */
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .refine(isPlainAddress, "an address has no user, password, query or fragment; a key goes into apiKey"),
    model: z.string().min(1).max(LIMITS.nameChars),
    apiKey: z
      .string()
      .min(1)
      .max(4_096)
      .regex(/^[\x21-\x7e]+$/, "a key has only printable ASCII")
      .optional(),
    timeoutMs: z.int().min(1).max(600_000).default(defaults.timeoutMs),
    /** After the first attempt, on 408, 429, 5xx, a cut connection or a timeout. */
    retries: z.int().min(0).max(10).default(defaults.retries),
    /** The first pause; each further one is twice as long, up to maxPauseMs. */
    pauseMs: z.int().min(0).max(60_000).default(500),
    maxPauseMs: z.int().min(0).max(600_000).default(defaults.maxPauseMs),
    maxReplyBytes: z.int().min(1).max(defaults.mostReplyBytes).default(defaults.maxReplyBytes),
  });
}

/** Chat answers are short; these also apply to vendors other than OpenAI. */
export const CHAT_DEFAULTS: EndpointDefaults = {
  timeoutMs: 60_000,
  retries: 2,
  maxPauseMs: 10_000,
  maxReplyBytes: MEBIBYTE / 2,
  mostReplyBytes: 16 * MEBIBYTE,
};

/** A batch of vectors is megabytes of JSON. */
export const EMBEDDING_DEFAULTS: EndpointDefaults = {
  timeoutMs: 30_000,
  retries: 3,
  maxPauseMs: 30_000,
  maxReplyBytes: 64 * MEBIBYTE,
  mostReplyBytes: 1_024 * MEBIBYTE,
};

/** Injected dependencies. */
export interface Injected {
  readonly fetch?: typeof globalThis.fetch;
  /** Jitter for the pauses of many clients; a number in [0, 1). */
  readonly random?: () => number;
}

/** The connection settings for one path of an endpoint. */
export function wireOf(
  config: z.output<ReturnType<typeof endpointSchema>>,
  id: string,
  path: string,
  { fetch = globalThis.fetch, random = Math.random }: Injected,
): Wire {
  const url = `${config.baseUrl.replace(/\/+$/, "")}${path}`;
  return { ...config, apiKey: config.apiKey ?? null, id, url, fetch, random };
}

/** Whether an address is only an address: no user, no query, nothing else. */
function isPlainAddress(address: string): boolean {
  // zod runs this check even after the one before it has failed.
  if (!URL.canParse(address)) return false;
  const { username, password, search, hash } = new URL(address);
  return `${username}${password}${search}${hash}` === "";
}
