import { resolve } from "node:path";
import { z } from "zod";
import { LIMITS, LociError, parseOrThrow } from "../../schema/index.ts";
import type { ModelPrices } from "./budget.ts";
import { extraBodySchema } from "./extra-body.ts";
import type { LanguageModel } from "./language-model.ts";

/** How a language model is named in configuration and on the command line. */
export const LANGUAGE_MODEL_CHOICES = ["openai:MODEL[@BASE_URL]", "anthropic:MODEL", "google:MODEL"] as const;

const OPENAI_URL = "https://api.openai.com/v1";
const CHOICE_CHARS = 1_024;

const onOff = z.enum(["on", "off"]).transform((value) => value === "on");
const dollars = z.coerce.number().pipe(z.number().min(0).max(1e6));

/** The environment variables. A key is read here and nowhere else. */
const environmentSchema = z.object({
  LOCI_PACKAGES: z.string().min(1).optional(),
  /** For any server that was named by its address. */
  LOCI_MODEL_API_KEY: z.string().min(1).optional(),
  /** A vendor's key is sent to that vendor only. */
  OPENAI_API_KEY: z.string().min(1).optional(),
  ANTHROPIC_API_KEY: z.string().min(1).optional(),
  GOOGLE_GENERATIVE_AI_API_KEY: z.string().min(1).optional(),
  GEMINI_API_KEY: z.string().min(1).optional(),
  LOCI_MODEL_VISION: onOff.optional(),
  LOCI_MODEL_TOOLS: onOff.optional(),
  /** Reasoning effort, in the server's words: low, medium, high. */
  LOCI_MODEL_REASONING_EFFORT: z.string().min(1).max(32).optional(),
  /** Most concurrent calls. */
  LOCI_MODEL_PARALLEL: z.coerce.number().pipe(z.int().min(1).max(64)).optional(),
  LOCI_MODEL_TIMEOUT_MS: z.coerce.number().pipe(z.int().min(1).max(600_000)).optional(),
  /** A folder for cached answers, so that repeating a run costs nothing. */
  LOCI_MODEL_CACHE_DIR: z.string().min(1).optional(),
  /** Dollars per million tokens. */
  LOCI_MODEL_INPUT_USD: dollars.optional(),
  LOCI_MODEL_OUTPUT_USD: dollars.optional(),
});

const specSchema = z.object({
  vendor: z.enum(["openai", "anthropic", "google"]),
  model: z.string().min(1).max(LIMITS.nameChars),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  apiKey: z.string().optional(),
  vision: z.boolean().optional(),
  tools: z.boolean().optional(),
  timeoutMs: z.int().optional(),
  retries: z.int().min(0).max(10).optional(),
  parallel: z.int().min(1).max(64).optional(),
  reasoningEffort: z.string().optional(),
  extraBody: extraBodySchema.optional(),
  packagesFrom: z.string().optional(),
  cacheFolder: z.string().optional(),
  prices: z.object({ inputUsd: z.number(), outputUsd: z.number() }).optional(),
});

/** A parsed choice. It may hold a key: never print it. */
export type LanguageModelSpec = z.infer<typeof specSchema> & { readonly prices?: ModelPrices | undefined };

/** A model's settings in a file; environment variables take precedence. */
export interface ModelSettings {
  /** The variable that holds the key. */
  readonly apiKeyEnv?: string | undefined;
  readonly vision?: boolean | undefined;
  readonly tools?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly parallel?: number | undefined;
  readonly reasoningEffort?: string | undefined;
  readonly extraBody?: z.output<typeof extraBodySchema> | undefined;
  readonly prices?: ModelPrices | undefined;
  readonly cacheFolder?: string | undefined;
  /** The file that names the model. */
  readonly file?: string;
  /** Whether that file may send a key to an address it names: not if the file was merely found in the folder. */
  readonly givesKeys?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a choice such as `openai:qwen2.5-vl@http://127.0.0.1:11434/v1` or `anthropic:NAME`; opens nothing. */
export function parseLanguageModelSpec(
  choice: string,
  environment: Environment = {},
  settings: ModelSettings = {},
): LanguageModelSpec {
  if (choice.length > CHOICE_CHARS)
    throw new LociError("invalid-input", `expected a language model in at most ${CHOICE_CHARS} characters`);
  // An empty variable counts as not set.
  const set = Object.entries(environment).filter(([, value]) => value !== "");
  const given = parseOrThrow(environmentSchema, Object.fromEntries(set), "the environment");
  const [, vendor = choice, rest = ""] = /^([a-z]+):(.+)$/.exec(choice) ?? [];
  // The last "@http" splits, because model names may contain @ and a colon.
  const [, model = rest, baseUrl] = /^(.+)@(https?:.*)$/.exec(rest) ?? [];
  if (!isVendor(vendor) || rest === "") {
    // An address may contain a password: errors quote the name only.
    throw new LociError(
      "invalid-input",
      `unknown language model "${vendor.slice(0, 80)}"; choose ${LANGUAGE_MODEL_CHOICES.join(", ")}`,
    );
  }
  const { LOCI_MODEL_INPUT_USD: inputUsd, LOCI_MODEL_OUTPUT_USD: outputUsd } = given;
  const cacheFolder = given.LOCI_MODEL_CACHE_DIR ?? settings.cacheFolder;
  return parseOrThrow(
    specSchema,
    {
      vendor,
      model,
      baseUrl: baseUrl ?? (vendor === "openai" ? OPENAI_URL : undefined),
      apiKey: keyOf(vendor, baseUrl, environment, settings),
      vision: given.LOCI_MODEL_VISION ?? settings.vision,
      tools: given.LOCI_MODEL_TOOLS ?? settings.tools,
      timeoutMs: given.LOCI_MODEL_TIMEOUT_MS ?? settings.timeoutMs,
      retries: settings.retries,
      parallel: given.LOCI_MODEL_PARALLEL ?? settings.parallel,
      reasoningEffort: given.LOCI_MODEL_REASONING_EFFORT ?? settings.reasoningEffort,
      extraBody: settings.extraBody,
      packagesFrom: given.LOCI_PACKAGES === undefined ? undefined : resolve(given.LOCI_PACKAGES),
      cacheFolder: cacheFolder === undefined ? undefined : resolve(cacheFolder),
      prices:
        inputUsd === undefined && outputUsd === undefined
          ? settings.prices
          : { inputUsd: inputUsd ?? 0, outputUsd: outputUsd ?? 0 },
    },
    `the language model "${vendor}"`,
  );
}

type Vendor = LanguageModelSpec["vendor"];
const isVendor = (name: string): name is Vendor => ["openai", "anthropic", "google"].includes(name);

/** The variables for each vendor's key; the first one set is used. */
const KEY_VARIABLES: Readonly<Record<Vendor, readonly string[]>> = {
  openai: ["OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY"],
  google: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
};

/** The key for this address, if any: a key is never sent to another server than its own. */
function keyOf(
  vendor: Vendor,
  baseUrl: string | undefined,
  environment: Environment,
  { apiKeyEnv, file, givesKeys = true }: ModelSettings,
): string | undefined {
  const isOwnServer =
    baseUrl === undefined ||
    (URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(OPENAI_URL).origin);
  if (!isOwnServer && !givesKeys) {
    if (apiKeyEnv === undefined) return undefined;
    throw new LociError(
      "invalid-input",
      `${file} was only found in this folder, so it may send no key to an address of its own; name it with --config or LOCI_CONFIG`,
    );
  }
  if (apiKeyEnv !== undefined) {
    const key = environment[apiKeyEnv];
    if (key) return key;
    throw new LociError(
      "invalid-input",
      `${file ?? "the configuration"} takes a key from ${apiKeyEnv}, which is not set`,
    );
  }
  const own = KEY_VARIABLES[vendor].map((name) => environment[name]).find((key) => key);
  return (isOwnServer ? own : undefined) || environment["LOCI_MODEL_API_KEY"] || undefined;
}

/** Opens what the spec names, loading only that adapter, with a cache if a folder is given. */
export async function openLanguageModel(spec: LanguageModelSpec): Promise<LanguageModel> {
  const model = await openVendor(spec);
  if (spec.cacheFolder === undefined) return model;
  const { cachedModel } = await import("./response-cache.ts");
  return cachedModel(model, { folder: spec.cacheFolder });
}

async function openVendor(spec: LanguageModelSpec): Promise<LanguageModel> {
  const { vendor, model, baseUrl, packagesFrom, apiKey, vision, tools, timeoutMs, retries } = spec;
  const { parallel, reasoningEffort, extraBody } = spec;
  if (vendor !== "openai" && (reasoningEffort !== undefined || extraBody !== undefined))
    throw new LociError(
      "invalid-input",
      `reasoningEffort and extraBody go to servers of OpenAI's protocol; leave them out for ${vendor}:${model}`,
    );
  // Vendors require a key: report it now rather than after the first question.
  if (apiKey === undefined && (baseUrl === undefined || baseUrl === OPENAI_URL))
    throw new LociError(
      "model-unavailable",
      `${vendor}:${model} needs a key; set ${KEY_VARIABLES[vendor].join(" or ")}`,
    );
  const common = {
    model,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(vision === undefined ? {} : { vision }),
    ...(tools === undefined ? {} : { tools }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(retries === undefined ? {} : { retries }),
    ...(parallel === undefined ? {} : { parallel }),
  };
  if (vendor === "openai") {
    const { openOpenAiChat } = await import("./openai-chat.ts");
    return openOpenAiChat({
      ...common,
      baseUrl: baseUrl ?? OPENAI_URL,
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
      ...(extraBody === undefined ? {} : { extraBody }),
    });
  }
  const { openAiSdk } = await import("./ai-sdk.ts");
  return openAiSdk({
    ...common,
    vendor,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(packagesFrom === undefined ? {} : { packagesFrom }),
  });
}
