import type { Vec3 } from "../geometry/index.ts";
import type { Hit, MemoryReader, SearchRequest } from "../memory/index.ts";
import type { Stored } from "../schema/core.ts";
import { keptFollowing, type Written } from "./kept.ts";
import { bearsLabel, type Labelled, labelledBy } from "./labelled.ts";
import type { NameEvidence, Told } from "./place-names.ts";
import { inWorld } from "./poses.ts";
import { SEARCH } from "./settings/search.ts";

/** The part of a memory that finding names needs. */
export interface Searching {
  readonly nowUs: number;
  readonly options: { readonly reader: MemoryReader; readonly sceneId?: string | undefined };
  search(request: SearchRequest): Promise<Hit[]>;
  recorded(request: SearchRequest): Promise<Hit[]>;
}

/** Signs and captions; another object whenever one of them is another. */
export type DatedEvidence = NameEvidence;

const READ = new WeakMap<Searching, Promise<DatedEvidence>>();

/** Signs in a building and captions about it up to now, read once for a question and each state of the memory. */
export function nameEvidence(memory: Searching): Promise<DatedEvidence> {
  const known = READ.get(memory) ?? evidenceUntilNow(memory);
  READ.set(memory, known);
  return known;
}

/** All evidence, where none is later than now, so that the result stays the same while time goes on. */
async function evidenceUntilNow(memory: Searching): Promise<DatedEvidence> {
  const all = await keptEvidence(memory, undefined);
  return (all.lastUs <= memory.nowUs ? all : await keptEvidence(memory, memory.nowUs)).evidence();
}

/** Signs and captions of a memory, with what later commits say. */
class Evidence {
  readonly #labelled: readonly Labelled[];
  /** By the ids of the captions, earliest first. */
  readonly #told: Map<string, Told>;
  #made: DatedEvidence | undefined;
  /** When the latest of them was recorded for (µs). */
  lastUs: number;

  constructor(labelled: readonly Labelled[], told: Map<string, Told>, lastUs: number) {
    this.#labelled = labelled;
    this.#told = told;
    this.lastUs = lastUs;
  }

  evidence(): DatedEvidence {
    this.#made ??= { labelled: this.#labelled, told: [...this.#told.values()].reverse() };
    return this.#made;
  }

  /** Takes in what a commit says; false where a label was read, or read otherwise: then all are read again. */
  follow(put: Written["put"], positionOf: (record: Stored) => Vec3 | undefined): boolean {
    for (const record of put) {
      if (record.kind === "state" && (bearsLabel(record) || this.#isLabelled(record.id))) return false;
      if (record.kind !== "caption") continue;
      const told = toldBy(record, positionOf(record));
      this.lastUs = Math.max(this.lastUs, record.validFromUs);
      this.#told.delete(record.id);
      if (told) this.#told.set(record.id, told);
      this.#made = undefined;
    }
    return this.#told.size <= 2 * SEARCH.mostTold;
  }

  #isLabelled(id: string): boolean {
    return this.#labelled.some(({ state }) => state.id === id);
  }
}

function toldBy(record: Stored, position: Vec3 | undefined): Told | undefined {
  if (record.kind !== "caption" || !position) return undefined;
  return { lines: record.text, position, byPerson: record.source === "human" };
}

async function keptEvidence(memory: Searching, untilUs: number | undefined): Promise<Evidence> {
  const { reader, sceneId } = memory.options;
  const frames = await reader.frames();
  const isMeant = (record: Stored) =>
    (sceneId === undefined || record.sceneId === sceneId) && record.validFromUs <= (untilUs ?? Infinity);
  return keptFollowing(
    reader,
    `names ${sceneId ?? ""} ${untilUs ?? "all"}`,
    () => readEvidence(memory, untilUs),
    (made, { put }) => made.follow(put.filter(isMeant), ({ anchor }) => anchor && inWorld(frames, anchor)),
  );
}

async function readEvidence(memory: Searching, untilUs: number | undefined): Promise<Evidence> {
  const time = { overlaps: { fromUs: 0, toUs: untilUs === undefined ? null : untilUs + 1 } };
  const [things, captions] = await Promise.all([
    // Text read on a thing is part of its words: "sign that says “AISLE C”".
    memory.recorded({ kinds: ["state"], meaning: { words: "says" }, time, limit: SEARCH.mostLabelled }),
    memory.recorded({ kinds: ["caption"], time, limit: SEARCH.mostTold, rank: "latest" }),
  ]);
  const told = captions.toReversed().flatMap(({ record, position }): [string, Told][] => {
    const one = toldBy(record, position);
    return one ? [[record.id, one]] : [];
  });
  return new Evidence(
    things.flatMap(({ record, box }) => (record.kind === "state" ? (labelledBy(record, box) ?? []) : [])),
    new Map(told),
    Math.max(...[...things, ...captions].map(({ record }) => record.validFromUs)),
  );
}
