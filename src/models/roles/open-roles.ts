import type { LanguageModel } from "../language/language-model.ts";
import { textPart } from "../language/language-model.ts";
import { type LanguageModelSpec, openLanguageModel } from "../language/registry.ts";
import type { RoleChoices } from "./choose-models.ts";
import type { ModelRole } from "./role.ts";
import { type RoleModel, type RoleUsage, roleModel } from "./role-model.ts";

/** The models of a run by role. Roles without a model are done by rules. */
export interface ModelRoles {
  get(role: ModelRole): RoleModel | undefined;
  /** The usage of each role, in the order of the roles. */
  usage(): RoleUsage[];
  /**
   * Asks every model for one word, so that a run of hours does not start with a wrong key or a missing server. Throws
   * the first model's error.
   */
  check(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Opens the chosen models; two roles with the same model share its connection and its cache, not their budgets. */
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

/** Equal settings are one model; prices and keys are included. */
function keyOf(spec: LanguageModelSpec): string {
  return JSON.stringify(Object.entries(spec).sort(([a], [b]) => (a < b ? -1 : 1)));
}
