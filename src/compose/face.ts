import { type AccountsFace, accountsFace } from "./face-accounts.ts";
import { type CoreFace, coreFace } from "./face-core.ts";
import { type FeedFace, feedFace } from "./face-feed.ts";
import { type IngestFace, ingestFace } from "./face-ingest.ts";
import type { Actor } from "./face-part.ts";
import { type PeopleFace, peopleFace } from "./face-people.ts";
import { type SourcesFace, sourcesFace } from "./face-sources.ts";
import type { Eyes } from "./ingest-eyes.ts";
import type { Memory } from "./memory.ts";
import { sparingly } from "./sparingly.ts";

/**
 * What a program can do with a memory, in JSON values: the same API for a memory in this process and for one behind a
 * server (`connect`). HTTP and MCP are thin layers over it. Each part has its own file, `face-….ts`.
 */
export interface MemoryFace extends CoreFace, IngestFace, FeedFace, AccountsFace, PeopleFace, SourcesFace {}

/** The face of a memory in this process for an actor; without one, for its owner. Close it after use. */
export function localFace(
  memory: Memory,
  actor: Actor = { id: "owner", labels: "*" },
  { eyes }: { readonly eyes?: Eyes | undefined } = {},
): MemoryFace {
  const { view: seen, release } = viewAs(memory, actor);
  const part = { memory, seen, actor, eyes };
  const counts = sparingly(
    () => memory.engine.generation(),
    () => part.seen.stats(),
  );
  return {
    ...coreFace(part, counts, release),
    ...ingestFace(part),
    ...feedFace(part, counts),
    ...accountsFace(part),
    ...peopleFace(part),
    ...sourcesFace(part),
  };
}

interface SharedView {
  readonly view: Memory;
  users: number;
}

/** Open views of memories, by the labels held. */
const views = new WeakMap<Memory, Map<string, SharedView>>();

/** What an actor may see. Actors with the same labels share one view, so that its maps are opened once. */
function viewAs(memory: Memory, actor: Actor): { readonly view: Memory; release(): Promise<void> } {
  const known = views.get(memory) ?? new Map<string, SharedView>();
  views.set(memory, known);
  const key = actor.labels === "*" ? "*" : JSON.stringify([...new Set(actor.labels)].sort());
  const shared = known.get(key) ?? { view: memory.as({ principal: actor }), users: 0 };
  known.set(key, shared);
  shared.users++;
  let isHeld = true;
  return {
    view: shared.view,
    release: async () => {
      if (!isHeld) return;
      isHeld = false;
      if (--shared.users > 0) return;
      known.delete(key);
      await shared.view.close();
    },
  };
}
