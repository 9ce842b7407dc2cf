import { type AccountsFace, accountsFace } from "./face-accounts.ts";
import { type CoreFace, coreFace } from "./face-core.ts";
import { type FeedFace, feedFace } from "./face-feed.ts";
import { type IngestFace, ingestFace } from "./face-ingest.ts";
import type { Actor } from "./face-part.ts";
import { type PeopleFace, peopleFace } from "./face-people.ts";
import type { Eyes } from "./ingest-eyes.ts";
import type { Memory } from "./memory.ts";
import { sparingly } from "./sparingly.ts";

/**
 * What a program can do with a memory, in values that fit into JSON: the same for a memory in this process and for one
 * behind a server (`connect`). HTTP and MCP are thin over it. Each part has a file of its own, `face-….ts`.
 */
export interface MemoryFace extends CoreFace, IngestFace, FeedFace, AccountsFace, PeopleFace {}

/** The face of a memory in this process, for somebody; without an actor, for its owner. Close it after use. */
export function localFace(
  memory: Memory,
  actor: Actor = { id: "owner", labels: "*" },
  { eyes }: { readonly eyes?: Eyes | undefined } = {},
): MemoryFace {
  const part = { memory, seen: memory.as({ principal: actor }), actor, eyes };
  const counts = sparingly(
    () => memory.engine.generation(),
    () => part.seen.stats(),
  );
  return {
    ...coreFace(part, counts),
    ...ingestFace(part),
    ...feedFace(part, counts),
    ...accountsFace(part),
    ...peopleFace(part),
  };
}
