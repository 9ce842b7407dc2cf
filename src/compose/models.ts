import { existsSync } from "node:fs";
import { join } from "node:path";
import type { LanguageModelSpec, ModelRole, ModelRoles } from "../models/index.ts";

/** The kinds of work that use models, each with the roles it knows and the roles filled by a model given by name. */
const WORK = {
  ask: { uses: ["reasoner", "confidence", "selector"], byFlag: ["reasoner", "selector"] },
  search: { uses: ["selector"], byFlag: ["selector"] },
  ingest: {
    uses: ["detector", "describer", "captioner", "adjudicator", "summariser"],
    byFlag: ["describer", "captioner", "adjudicator", "summariser"],
  },
  judge: { uses: ["judge"], byFlag: [] },
  eval: { uses: ["reasoner", "confidence", "judge"], byFlag: ["reasoner"] },
} as const satisfies Record<string, { uses: readonly ModelRole[]; byFlag: readonly ModelRole[] }>;

export interface ModelsRequest {
  readonly work: keyof typeof WORK;
  /** A model by name for the roles of the work; "off" for none. */
  readonly model?: string | undefined;
  /** Only these roles. */
  readonly roles?: readonly string[] | undefined;
  /** A model for the judge alone. */
  readonly judge?: string | undefined;
  /** The detector by name: a language model for that role only, or a dedicated detector. */
  readonly detector?: string | undefined;
  /** The file of settings; default `LOCI_CONFIG`, then `loci.json` in the folder. */
  readonly config?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where `loci.json` is looked for. */
  readonly folder: string;
}

export interface OpenedModels extends ModelRoles {
  /** Set when the model came from a configuration file that was found rather than named; the command prints it. */
  readonly found?: string;
}

/** Chooses and opens the models for a piece of work from flags, environment and file; the caller closes them. */
export async function openModels(request: ModelsRequest): Promise<OpenedModels> {
  if (namesNoModel(request)) return NO_MODELS;
  const { chooseModels, openModelRoles, readModelConfig } = await import("../models/roles/index.ts");
  const { isLanguageModelDetector } = await import("../models/index.ts");
  const { work, model, roles, judge, environment, folder } = request;
  // Where the detector is not a language model, no language model takes its role.
  const detector =
    request.detector === undefined || isLanguageModelDetector(request.detector) ? request.detector : "off";
  const config = await readModelConfig(request.config, environment, folder);
  const choices = chooseModels({
    ...WORK[work],
    model,
    roles,
    named: { judge, detector },
    environment,
    config,
  });
  const opened = await openModelRoles(choices);
  const byFile = [...choices].filter(([, { fromFile }]) => fromFile);
  if (config === undefined || config.named || byFile.length === 0) return opened;
  const who = byFile.map(([role, { spec }]) => `${role} ${addressOf(spec)}`).join(", ");
  return { ...opened, found: `${config.path} decides who is asked: ${who}` };
}

const NO_MODELS: OpenedModels = {
  get: () => undefined,
  usage: () => [],
  check: async () => {},
  close: async () => {},
};

/** Whether neither flags, environment nor file name a model: then none of the model code is loaded. */
function namesNoModel({
  model,
  roles,
  judge,
  detector,
  config,
  environment,
  folder,
}: ModelsRequest): boolean {
  const isFlagged = [model, roles, judge, detector, config].some((flag) => flag !== undefined);
  const isSet = Object.keys(environment).some((name) => /^LOCI_(?:MODEL|CONFIG)/.test(name));
  return !isFlagged && !isSet && !existsSync(join(folder, "loci.json"));
}

/** The address of the model, without key or user. */
function addressOf({ vendor, model, baseUrl }: LanguageModelSpec): string {
  return baseUrl === undefined ? `${vendor}:${model}` : `${model} at ${new URL(baseUrl).origin}`;
}
