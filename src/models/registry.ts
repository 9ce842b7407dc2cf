import { resolve } from "node:path";
import { z } from "zod";
import { LIMITS, LociError, parseOrThrow } from "../schema/index.ts";
import { cached } from "./cached.ts";
import { EMBED_LIMITS, type ImageEmbedder, type TextEmbedder } from "./embedder.ts";

/** How an embedder is named in configuration and on the command line. */
export const EMBEDDER_CHOICES = [
  "loci",
  "hashing[:DIM]",
  "use-lite",
  "transformers:FOLDER_OR_NAME",
  "openai:MODEL[@BASE_URL]",
] as const;

/** The environment variables. A key is read here and nowhere else. */
const environmentSchema = z.object({
  /** A folder with a node_modules that holds optional packages. */
  LOCI_PACKAGES: z.string().min(1).optional(),
  /** Where models from the hub are cached. */
  LOCI_MODEL_CACHE: z.string().min(1).optional(),
  LOCI_EMBED_API_KEY: z.string().min(1).optional(),
  LOCI_EMBED_DIMENSIONS: z.coerce.number().pipe(z.int().min(1).max(EMBED_LIMITS.dim)).optional(),
  /** Used for OpenAI's own address only: a key must not be sent to another server. */
  OPENAI_API_KEY: z.string().min(1).optional(),
});

const OPENAI_URL = "https://api.openai.com/v1";
const CHOICE_CHARS = 1_024;

const specSchema = z.discriminatedUnion("adapter", [
  z.object({ adapter: z.literal("loci") }),
  z.object({ adapter: z.literal("hashing"), dim: z.int().min(2).max(EMBED_LIMITS.dim) }),
  z.object({ adapter: z.literal("use-lite"), packagesFrom: z.string().optional() }),
  z.object({
    adapter: z.literal("transformers"),
    model: z.string().min(1),
    packagesFrom: z.string().optional(),
    cacheDir: z.string().optional(),
  }),
  z.object({
    adapter: z.literal("openai"),
    model: z.string().min(1).max(LIMITS.nameChars),
    baseUrl: z.url({ protocol: /^https?$/ }),
    apiKey: z.string().optional(),
    dimensions: z.int().optional(),
  }),
]);

/** A parsed choice. It may hold a key: never print it. */
export type EmbedderSpec = z.infer<typeof specSchema>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a choice such as `hashing:64` or `openai:nomic-embed-text@http://127.0.0.1:11434/v1`; opens nothing. */
export function parseEmbedderSpec(choice: string, environment: Environment = {}): EmbedderSpec {
  if (choice.length > CHOICE_CHARS) {
    throw new LociError("invalid-input", `expected an embedder in at most ${CHOICE_CHARS} characters`);
  }
  const settings = parseOrThrow(environmentSchema, environment, "the environment");
  const colon = choice.indexOf(":");
  const name = colon < 0 ? choice : choice.slice(0, colon);
  const rest = colon < 0 ? null : choice.slice(colon + 1);
  const packagesFrom = settings.LOCI_PACKAGES === undefined ? undefined : resolve(settings.LOCI_PACKAGES);
  const cacheDir = settings.LOCI_MODEL_CACHE === undefined ? undefined : resolve(settings.LOCI_MODEL_CACHE);
  // Errors quote the name only: an address may contain a password.
  const parse = (spec: unknown) => parseOrThrow(specSchema, spec, `the embedder "${name}"`);
  if (name === "loci" && rest === null) return parse({ adapter: "loci" });
  if (name === "hashing")
    return parse({ adapter: "hashing", dim: rest === null ? 256 : Number(rest || Number.NaN) });
  if (name === "use-lite" && rest === null) return parse({ adapter: "use-lite", packagesFrom });
  if (name === "transformers" && rest)
    return parse({ adapter: "transformers", model: rest, packagesFrom, cacheDir });
  if (name === "openai" && rest) {
    // The last "@http" splits, because model names may contain @ and a colon.
    const [, model = rest, baseUrl = OPENAI_URL] = /^(.+)@(https?:.*)$/.exec(rest) ?? [];
    const isOpenAi = URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(OPENAI_URL).origin;
    const apiKey = settings.LOCI_EMBED_API_KEY ?? (isOpenAi ? settings.OPENAI_API_KEY : undefined);
    return parse({ adapter: "openai", model, baseUrl, apiKey, dimensions: settings.LOCI_EMBED_DIMENSIONS });
  }
  throw new LociError(
    "invalid-input",
    `unknown embedder "${name.slice(0, 80)}"; choose ${EMBEDDER_CHOICES.join(", ")}`,
  );
}

/** Opens what the spec names, loading only that adapter; slow ones are wrapped in a cache. */
export async function openEmbedder(spec: EmbedderSpec): Promise<TextEmbedder> {
  switch (spec.adapter) {
    case "loci":
      return (await import("./loci-text/loci-text.ts")).openLociText();
    case "hashing":
      return (await import("./hashing/hashing.ts")).openHashing(spec.dim);
    case "use-lite": {
      const { openUseLite } = await import("./use-lite/use-lite.ts");
      return cached(await openUseLite(given({ packagesFrom: spec.packagesFrom })));
    }
    case "transformers": {
      const { openTransformersText } = await import("./transformers/transformers.ts");
      const { packagesFrom, cacheDir } = spec;
      return cached(await openTransformersText(spec.model, given({ packagesFrom, cacheDir })));
    }
    case "openai": {
      const { openOpenAiCompatible } = await import("./openai-compatible/openai-compatible.ts");
      const { model, baseUrl, apiKey, dimensions } = spec;
      return cached(await openOpenAiCompatible({ model, baseUrl, ...given({ apiKey, dimensions }) }));
    }
  }
}

/** The same for pictures, which only `transformers:` can embed. */
export async function openImageEmbedder(spec: EmbedderSpec): Promise<ImageEmbedder> {
  if (spec.adapter !== "transformers") {
    throw new LociError(
      "invalid-input",
      `${spec.adapter} embeds no images; choose transformers:FOLDER_OR_NAME`,
    );
  }
  const { openTransformersImage } = await import("./transformers/transformers.ts");
  const { packagesFrom, cacheDir } = spec;
  return openTransformersImage(spec.model, given({ packagesFrom, cacheDir }));
}

/** Unset options are omitted instead of passed as undefined. */
function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
