import { createHash } from "node:crypto";
import { z } from "zod";
import { type EmbedderInfo, LIMITS, parseOrThrow } from "../../schema/index.ts";
import { backgroundOf, UNRELATED_TEXTS } from "../background.ts";
import { EMBED_LIMITS, type TextEmbedder } from "../embedder.ts";
import { textEmbedder, unitRow } from "../embedder-rules.ts";
import { EMBEDDING_DEFAULTS, endpointSchema, type Injected, wireOf } from "./endpoint.ts";
import { postJson } from "./http.ts";
import { parseReply } from "./reply.ts";

const optionsSchema = endpointSchema(EMBEDDING_DEFAULTS).extend({
  /** Requests shorter vectors, if the model supports it. */
  dimensions: z.int().min(1).max(EMBED_LIMITS.dim).optional(),
  /** base64 takes a quarter of the bytes, but not every server supports it. Either form is accepted in the answer. */
  encoding: z.enum(["float", "base64"]).default("float"),
  batchSize: z.int().min(1).max(2_048).default(64),
});

export interface OpenAiCompatibleOptions extends z.input<typeof optionsSchema>, Injected {}

/**
 * Any server with OpenAI's `POST /embeddings` (vLLM, Ollama, llama.cpp, LM Studio, OpenAI). Opening sends one
 * request, to check that the server is there and to learn the length and the background of its vectors. The id
 * contains the model and not the address, so that a memory survives a move of its server.
 */
export async function openOpenAiCompatible(options: OpenAiCompatibleOptions): Promise<TextEmbedder> {
  const { fetch, random, ...given } = options;
  const config = parseOrThrow(optionsSchema, given, "the options of the OpenAI-compatible embedder");
  const id = idOf(config.model, config.dimensions);
  const wire = wireOf(config, id, "/embeddings", { ...(fetch && { fetch }), ...(random && { random }) });
  const closing = new AbortController();

  const embed = async (texts: readonly string[], signal?: AbortSignal) => {
    const body = {
      model: config.model,
      // Half a surrogate pair has no UTF-8, and servers refuse the whole batch for it.
      input: texts.map((text) => text.toWellFormed()),
      encoding_format: config.encoding,
      ...(config.dimensions === undefined ? {} : { dimensions: config.dimensions }),
    };
    return parseReply(await postJson(wire, body, closing.signal, signal), texts.length, id);
  };

  const probes = await embed(UNRELATED_TEXTS.slice(0, config.batchSize));
  const info: EmbedderInfo = { id, dim: config.dimensions ?? probes[0]?.length ?? 0 };
  const units = probes.map((row) => unitRow(row, info));
  return textEmbedder({
    info,
    batchSize: config.batchSize,
    ...(units.length === UNRELATED_TEXTS.length ? { background: backgroundOf(units) } : {}),
    embedBatch: (texts, { signal }) => embed(texts, signal),
    close: async () => closing.abort(),
  });
}

/** A name too long for an id is truncated, with a hash of the whole to keep it unique. */
function idOf(model: string, dimensions: number | undefined): string {
  const name = dimensions === undefined ? model : `${model}:${dimensions}`;
  const id = `openai:${name.replaceAll(/[^A-Za-z0-9_.:-]/g, "-")}`;
  if (id.length <= LIMITS.idChars) return id;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 12);
  return `${id.slice(0, LIMITS.idChars - hash.length - 1)}-${hash}`;
}
