import type { RetentionReport } from "../memory/retention/index.ts";
import { LociError, type RetainInput } from "../schema/core.ts";
import { liveFramesOf } from "./face-ingest.ts";
import type { FacePart } from "./face-part.ts";
import type { Memory } from "./memory.ts";
import { Sources } from "./sources/index.ts";
import type { SourceRequest, SourceStatus } from "./sources/request.ts";
import { retainWithin } from "./upkeep.ts";

/** What a memory takes in by itself, and its upkeep, while it is used. */
export interface SourcesFace {
  /** Sources that are taken in, with those that have ended; none for an actor that does not hold every label. */
  sources(): Promise<SourceStatus[]>;
  /** Begins to take a robot or a recording in. The same again, while it is under way, changes nothing. */
  startSource(request: SourceRequest): Promise<SourceStatus>;
  stopSource(id: string): Promise<SourceStatus>;
  /** Gives up the least valuable records until the memory is within limits; ingests and reads go on. */
  retain(limits: RetainInput): Promise<Retained>;
}

export type Retained = Omit<RetentionReport, "plans">;

/** The implementation for a memory in this process. */
export function sourcesFace({ memory, actor }: FacePart): SourcesFace {
  const seesAll = actor.labels === "*";
  const whole = (): Sources => {
    if (!seesAll) throw new LociError("access-denied", "sources are for those who hold every label");
    return sourcesOf(memory);
  };
  return {
    sources: async () => (seesAll ? (running.get(memory)?.list() ?? []) : []),
    startSource: (request) => whole().start(request),
    stopSource: (id) => whole().stop(id),
    retain: async ({ maxBytes, maxAgeDays, nowUs }) => {
      if (!seesAll) throw new LociError("access-denied", "retention is for those who hold every label");
      const ageUs = maxAgeDays === undefined ? undefined : Math.round(maxAgeDays * DAY_US);
      const frames = await liveFramesOf(memory);
      const { plans: _plans, ...report } = await frames.quietly(() =>
        retainWithin(memory, {
          nowUs,
          ...(maxBytes !== undefined && { maxBytes }),
          ...(ageUs !== undefined && {
            maxAgeUs: { detection: ageUs, observation: ageUs, caption: ageUs, view: ageUs },
          }),
        }),
      );
      return report;
    },
  };
}

const DAY_US = 86_400_000_000;

const running = new WeakMap<Memory, Sources>();

/** The sources of a memory, shared by all that ask for them; they end with it. */
function sourcesOf(memory: Memory): Sources {
  let sources = running.get(memory);
  if (sources === undefined) {
    sources = new Sources(memory, () => liveFramesOf(memory));
    running.set(memory, sources);
    memory.ending.add(() => stopSources(memory));
  }
  return sources;
}

/** How the sources of a memory are doing, for those who ask whether it does its work. */
export function sourceStates(memory: Memory): SourceStatus[] {
  return running.get(memory)?.list() ?? [];
}

/** Ends all sources of a memory within seconds; call it before its frames are finished. */
export async function stopSources(memory: Memory): Promise<void> {
  await running.get(memory)?.close();
}
