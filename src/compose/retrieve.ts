import { observedSpan } from "../belief/span.ts";
import type { Interval, Vec3 } from "../geometry/index.ts";
import { type Moment, momentUs } from "../memory/query.ts";
import type { ModelRoles } from "../models/index.ts";
import type { Retrieved, Strategy } from "../retrieval/index.ts";
import { LociError } from "../schema/core.ts";
import type { Memory } from "./memory.ts";

export interface RetrieveRequest {
  /** One of retrieval's presets; default `auto`. */
  readonly strategy?: string | undefined;
  readonly mode?: "ours" | "paper" | undefined;
  readonly k?: number | undefined;
  readonly near?: { readonly centre: Vec3; readonly radiusM: number } | undefined;
  readonly during?: Interval | undefined;
  readonly now?: Moment | undefined;
  readonly sceneId?: string | undefined;
  /** Models by role; the selector is used where the strategy descends the regions. */
  readonly models?: ModelRoles | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Evidence for a question by one of the papers' plans, with the plan, its cost, and the rejected records. */
export async function retrieveFrom(
  memory: Memory,
  text: string,
  request: RetrieveRequest = {},
): Promise<Retrieved & { readonly explanation: string }> {
  const { retrieve, explain, STRATEGIES } = await import("../retrieval/index.ts");
  const { loadForest } = await import("../map/index.ts");
  const { strategy = "auto", near, during } = request;
  if (!(STRATEGIES as readonly string[]).includes(strategy))
    throw new LociError("invalid-input", `expected a strategy (${STRATEGIES.join(", ")}), got "${strategy}"`);
  const reader = await memory.reader();
  const written = await reader.embedder("text");
  const lastUs = (await observedSpan(reader))?.toUs;
  const forest = await loadForest(reader, request.sceneId === undefined ? {} : { sceneId: request.sceneId });
  const selector = request.models?.get("selector");
  const { modelSelector } = await import("../models/roles/index.ts");
  const found = await retrieve(
    { text, ...(near && { near }), ...(during && { during }) },
    {
      reader,
      nowUs: request.now === undefined ? (lastUs ?? 0) : momentUs(request.now),
      strategy: strategy as Strategy,
      ...(written !== null && { embedder: await memory.embedder() }),
      ...(forest && { forest }),
      ...(selector && { selector: modelSelector(selector) }),
      ...(request.mode && { mode: request.mode }),
      ...(request.k !== undefined && { k: request.k }),
      ...(request.signal && { signal: request.signal }),
    },
  );
  return { ...found, explanation: explain(found) };
}
