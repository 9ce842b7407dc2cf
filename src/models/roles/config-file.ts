import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { LociError, parseOrThrow } from "../../schema/index.ts";
import { extraBodySchema } from "../language/extra-body.ts";
import { MODEL_ROLES } from "./role.ts";

/** The default file name. */
export const CONFIG_FILE = "loci.json";
const MAX_BYTES = 65_536;

/** An object that refuses unknown fields: a typo must not silently mean the default. */
function strict<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      const [name = ""] = issue.keys as string[];
      if (/key|secret|token|password/i.test(name))
        return `"${name}": a key does not belong into a file; name the variable that holds it with "apiKeyEnv"`;
      return `unknown setting "${name}"; known are ${Object.keys(shape).join(", ")}`;
    },
  });
}

const count = z.int().min(0).max(1e12);

/** The budget of one role in a run; absent limits use the role's defaults. */
const budgetSchema = strict({
  calls: count.optional(),
  tokens: count.optional(),
  timeMs: count.optional(),
  costUsd: z.number().min(0).max(1e9).optional(),
});

const settings = {
  /** The environment variable that holds the key. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "expected the name of a variable, never the key itself")
    .optional(),
  vision: z.boolean().optional(),
  tools: z.boolean().optional(),
  timeoutMs: z.int().min(1).max(600_000).optional(),
  retries: z.int().min(0).max(10).optional(),
  /** Most concurrent calls; default 4. */
  parallel: z.int().min(1).max(64).optional(),
  /** Reasoning effort, in the server's words. */
  reasoningEffort: z.string().min(1).max(32).optional(),
  /** Server fields beyond OpenAI's protocol. */
  extraBody: extraBodySchema.optional(),
  /** Dollars per million tokens. */
  prices: strict({ inputUsd: z.number().min(0).max(1e6), outputUsd: z.number().min(0).max(1e6) }).optional(),
  budget: budgetSchema.optional(),
};
const name = z.string().min(1).max(1_024);
const entry = <S extends z.ZodRawShape>(shape: S) =>
  z.preprocess((value) => (typeof value === "string" ? { name: value } : value), strict(shape));
const modelEntry = entry({ name, ...settings });
const roleEntry = entry({ name: name.optional(), ...settings });

const fileSchema = strict({
  /** Answers questions, and does every named role without a model of its own. */
  model: modelEntry.optional(),
  roles: strict(
    Object.fromEntries(MODEL_ROLES.map((role) => [role, roleEntry.optional()])) as Record<
      (typeof MODEL_ROLES)[number],
      z.ZodOptional<typeof roleEntry>
    >,
  ).default({} as never),
  /** A folder for cached answers, relative to the file's folder: repeating a run costs nothing. */
  cacheFolder: z.string().min(1).max(4_096).optional(),
});

export type ModelEntry = z.output<typeof roleEntry>;

/** A parsed settings file. */
export interface ModelConfig extends z.output<typeof fileSchema> {
  readonly path: string;
  /** It was named explicitly; a file merely found in the folder sends no key to an address it names. */
  readonly named: boolean;
}

/**
 * Reads the settings file: the one named by the flag, else by `LOCI_CONFIG`, else `loci.json` in the folder, if it
 * exists. A named file must exist; any problem is reported in one line.
 */
export async function readModelConfig(
  flag: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<ModelConfig | undefined> {
  const given = flag ?? (environment["LOCI_CONFIG"] || undefined);
  const path = resolve(folder, given ?? CONFIG_FILE);
  let text: string;
  try {
    // A pipe without a writer would block forever.
    if (!(await stat(path)).isFile()) throw new Error("it is not a file");
    text = await readFile(path, "utf8");
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    if (missing && given === undefined) return undefined;
    const why = missing ? "there is no such file" : (cause as Error).message;
    throw new LociError("invalid-input", `cannot read the configuration ${path}: ${why}`, { cause });
  }
  if (text.length > MAX_BYTES)
    throw new LociError("limit-exceeded", `the configuration ${path} has more than ${MAX_BYTES} bytes`);
  const parsed = parseOrThrow(fileSchema, jsonOf(text, path), `the configuration ${path}`);
  return {
    ...parsed,
    ...(parsed.cacheFolder !== undefined && { cacheFolder: resolve(dirname(path), parsed.cacheFolder) }),
    path,
    named: given !== undefined,
  };
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The error quotes the surrounding text, which may be anything; only the position is reported.
    const at = /position (\d+)/.exec((cause as Error).message)?.[1];
    const line = at === undefined ? "" : ` on line ${text.slice(0, Number(at)).split("\n").length}`;
    throw new LociError("invalid-input", `the configuration ${path} is no JSON: something is wrong${line}`);
  }
}
