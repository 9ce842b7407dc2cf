import { LociError } from "../../schema/index.ts";
import type { ModelBudget } from "../language/budget.ts";
import { type LanguageModelSpec, parseLanguageModelSpec } from "../language/registry.ts";
import type { ModelConfig, ModelEntry } from "./config-file.ts";
import { isModelRole, MODEL_ROLES, type ModelRole } from "./role.ts";

/** The command-line options, and the roles that the command can use. */
export interface ModelRequest {
  /** The roles of the work. */
  readonly uses: readonly ModelRole[];
  /** The roles of a model given by a flag, unless `roles` lists them. */
  readonly byFlag: readonly ModelRole[];
  readonly model?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  /** Flags that name a model for one role, such as --judge. */
  readonly named?: Readonly<Partial<Record<ModelRole, string | undefined>>> | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly config?: ModelConfig | undefined;
}

/** The chosen model of each role. It may hold keys: never print it. */
export type RoleChoices = ReadonlyMap<ModelRole, RoleChoice>;

export interface RoleChoice {
  readonly spec: LanguageModelSpec;
  readonly budget?: ModelBudget;
  /** The model was named by the settings file, not by a flag or the environment. */
  readonly fromFile: boolean;
}

const OFF = "off";

/**
 * Precedence: flag, environment, file; and in each the role's own setting before the general one. A general model in
 * the environment or the file answers questions only. Other roles cost a call per thing, so they must be named: by a
 * flag, by their own variable or in the file.
 */
export function chooseModels(request: ModelRequest): RoleChoices {
  const choices = new Map<ModelRole, RoleChoice>();
  const wanted = rolesOf(request);
  for (const role of request.uses) {
    const found = choiceOf(role, request, wanted);
    if (found === undefined) continue;
    const { name, entry } = found;
    const budget = request.config?.roles[role]?.budget ?? entry?.budget;
    const spec = parseLanguageModelSpec(name, request.environment, settingsOf(entry, request));
    choices.set(role, { spec, fromFile: entry !== undefined, ...(budget && { budget }) });
  }
  return choices;
}

function choiceOf(
  role: ModelRole,
  request: ModelRequest,
  wanted: ReadonlySet<ModelRole> | undefined,
): { readonly name: string; readonly entry?: ModelEntry } | undefined {
  const { config, environment } = request;
  const flag = request.named?.[role];
  if (flag === undefined && wanted !== undefined && !wanted.has(role)) return undefined;
  const byFlag = flag ?? ((wanted?.has(role) ?? request.byFlag.includes(role)) ? request.model : undefined);
  if (byFlag !== undefined) return byFlag === OFF ? undefined : { name: byFlag };
  const own = config?.roles[role];
  const isActive =
    role === "reasoner" || wanted?.has(role) === true || (own !== undefined && own.name !== OFF);
  const byEnvironment =
    environment[`LOCI_MODEL_${role.toUpperCase()}`] || (isActive && environment["LOCI_MODEL"]) || undefined;
  if (byEnvironment !== undefined) return byEnvironment === OFF ? undefined : { name: byEnvironment };
  if (own?.name !== undefined) return own.name === OFF ? undefined : { name: own.name, entry: own };
  const general = isActive ? config?.model : undefined;
  if (general !== undefined)
    return general.name === OFF ? undefined : { name: general.name, entry: { ...general, ...own } };
  if (wanted?.has(role) || own !== undefined)
    throw new LociError(
      "invalid-input",
      `no model is chosen for the ${role}; name one with --model, LOCI_MODEL or "model" in loci.json`,
    );
  return undefined;
}

/** The roles that a flag lists. */
function rolesOf({ roles, uses }: ModelRequest): ReadonlySet<ModelRole> | undefined {
  if (roles === undefined) return undefined;
  for (const role of roles) {
    if (isModelRole(role) && uses.includes(role)) continue;
    const known = MODEL_ROLES.filter((one) => uses.includes(one)).join(", ");
    throw new LociError("invalid-input", `--roles: "${role.slice(0, 80)}" is none of ${known}`);
  }
  return new Set(roles.filter(isModelRole));
}

/** The file's settings of a model; without an entry only the cache folder. */
function settingsOf(entry: ModelEntry | undefined, { config }: ModelRequest) {
  const { apiKeyEnv, vision, tools, timeoutMs, retries, prices, parallel, reasoningEffort, extraBody } =
    entry ?? {};
  return {
    parallel,
    reasoningEffort,
    extraBody,
    apiKeyEnv,
    vision,
    tools,
    timeoutMs,
    retries,
    prices,
    cacheFolder: config?.cacheFolder,
    ...(entry && config && { file: config.path, givesKeys: config.named }),
  };
}
