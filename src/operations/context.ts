import type { Eyes } from "../compose/ingest-eyes.ts";
import type { Memory } from "../compose/memory.ts";
import type { MemoryStats, Principal, ReaderOptions } from "../memory/port.ts";
import { momentUs } from "../memory/query.ts";
import { LociError, type SearchQuery } from "../schema/core.ts";

/**
 * The acting principal. Reads are filtered by its labels. Writes are stamped with `scene` and `agent` where they are
 * set; an actor without every label ("*") may only attach labels that it holds.
 */
export interface Actor extends Principal {
  readonly scene?: string;
  readonly agent?: string;
  /** The grant it acts under; watches and conversations belong to the grant and end with it. */
  readonly grant?: string;
}

/** What an operation works with. */
export interface OperationContext {
  /** The whole memory: writes go here. */
  readonly memory: Memory;
  /** The memory as the actor may see it: reads go here. */
  readonly seen: Memory;
  readonly actor: Actor;
  /** What finds things in frames that come without detections. */
  readonly eyes: Eyes | undefined;
  /** Counts of what the actor may see, cached: counting a large memory takes long. */
  counts(): Promise<MemoryStats>;
}

/**
 * The marks of an actor's writes. Ids made for an actor without every label contain its own name, so that it can
 * neither overwrite nor probe for records that it cannot see.
 */
export function stampOf({ actor }: Pick<OperationContext, "actor">) {
  const { labels: held, scene } = actor;
  const own = scene === undefined ? [] : [`scene:${scene}`];
  return {
    scene,
    author: actor.agent,
    /** Part of every id that is made for this actor. */
    space: held === "*" ? [] : [actor.id],
    labels: (given: readonly string[] = []): string[] => {
      if (held !== "*" && given.some((label) => !held.includes(label)))
        throw new LociError("access-denied", "a label that the writer does not hold cannot be given");
      return [...new Set([...given, ...own])].sort();
    },
  };
}

/** The memory as of the times that a query names, for the duration of the work. */
export async function withView<T>(
  { seen, actor }: OperationContext,
  times: Pick<SearchQuery, "asOfWorld" | "asOfMemory">,
  work: (view: Memory) => Promise<T>,
): Promise<T> {
  if (times.asOfWorld === undefined && times.asOfMemory === undefined) return work(seen);
  const options: ReaderOptions = {
    principal: actor,
    ...(times.asOfWorld !== undefined && { asOfWorldUs: momentUs(times.asOfWorld) }),
    ...(times.asOfMemory !== undefined && { asOfMemoryUs: momentUs(times.asOfMemory) }),
  };
  const view = seen.as(options);
  try {
    return await work(view);
  } finally {
    await view.close();
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Drops undefined properties (exactOptionalPropertyTypes). */
export function defined<T extends object>(values: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<
    Defined<T>
  >;
}
