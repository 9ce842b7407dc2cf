import type { LanguageModel } from "../language/language-model.ts";
import { textPart } from "../language/language-model.ts";
import { type LanguageModelSpec, openLanguageModel } from "../language/registry.ts";
import type { RoleChoices } from "./choose-models.ts";
import type { ModelRole } from "./role.ts";
import { type RoleModel, type RoleUsage, roleModel } from "./role-model.ts";

/** The models of a run, each at its work. What has no model is done by rules. */
export interface ModelRoles {
  get(role: ModelRole): RoleModel | undefined;
  /** What each role used up, in the order of the roles. */
  usage(): RoleUsage[];
  /**
   * Asks every model for one word. A run of hours should not begin with a wrong key or a server that is not there.
   * Throws what the first one throws that cannot be reached.
   */
  check(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Opens the models of a choice; two roles with the same model share its connection and its cache, not their budgets. */
export async function openModelRoles(choices: RoleChoices): Promise<ModelRoles> {
  const opened = new Map<string, LanguageModel>();
  const roles = new Map<ModelRole, RoleModel>();
  const close = async () => {
    await Promise.all([...opened.values()].map((model) => model.close()));
  };
  try {
    for (const [role, { spec, budget }] of choices) {
      const key = keyOf(spec);
      const model = opened.get(key) ?? (await openLanguageModel(spec));
      opened.set(key, model);
      roles.set(role, roleModel(role, model, budget, spec.prices));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    get: (role) => roles.get(role),
    usage: () => [...roles.values()].map((model) => model.usage()),
    async check(signal) {
      for (const model of opened.values())
        await model.generate(
          { messages: [{ role: "user", parts: [textPart("Answer with the word: ready")] }], maxTokens: 16 },
          { signal },
        );
    },
    close,
  };
}

/** Equal settings are one model; prices and keys are part of it. */
function keyOf(spec: LanguageModelSpec): string {
  return JSON.stringify(Object.entries(spec).sort(([a], [b]) => (a < b ? -1 : 1)));
}
