import type { Correction } from "../schema/core.ts";
import type { OperationContext } from "./context.ts";
import type { Told } from "./operation.ts";
import { quoted } from "./telling.ts";

/** Longest name of an author, in characters. */
const AUTHOR_CHARS = 64;

/** Who says something to the memory, where it is kept, and what they may see. */
export function sayingOf({ memory, seen, actor }: OperationContext) {
  const own =
    actor.agent ??
    actor.id
      .replace(/[^A-Za-z0-9_.:-]+/g, "-")
      .replace(/^[^A-Za-z0-9]+/, "")
      .slice(0, AUTHOR_CHARS);
  return { memory, seen, author: own || "somebody" };
}

/** Only the owner may speak for others. */
export function authored<R extends { author?: string | undefined }>(
  { actor }: OperationContext,
  { author, ...rest }: R,
) {
  return author !== undefined && actor.labels === "*" ? { ...rest, author } : rest;
}

/** Logs who said what. */
export async function noted(
  { memory, actor }: OperationContext,
  act: string,
  said: Correction,
): Promise<Correction> {
  const { appendAudit } = await import("../compose/audit.ts");
  appendAudit(memory.folder, { atUs: Date.now() * 1000, who: actor.id, act, ids: [said.id, said.target] });
  return said;
}

export function tellCorrection({ id, target, what, says, was, undone }: Correction): Told {
  const done = undone === undefined ? `${quoted(target)} is now` : "Taken back: it is no longer";
  const before = was === undefined || undone !== undefined ? "" : ` (it was ${quoted(was)})`;
  return {
    summary: `${done} ${what === "kind" ? "a" : "called"} ${quoted(says)}${before} [${id}].`,
    data: { id, target, what, says, was: was ?? null },
  };
}
