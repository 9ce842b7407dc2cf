import type { Hit, MemoryReader, SearchRequest } from "../memory/index.ts";
import type { Stored } from "../schema/core.ts";
import { keptUntilCommit } from "./kept.ts";
import { labelledBy } from "./labelled.ts";
import { printedOn } from "./matching.ts";
import type { NameEvidence } from "./place-names.ts";

/** The part of a memory that finding names needs. */
export interface Searching {
  readonly nowUs: number;
  readonly options: { readonly reader: MemoryReader; readonly sceneId?: string | undefined };
  search(request: SearchRequest): Promise<Hit[]>;
  recorded(request: SearchRequest): Promise<Hit[]>;
}

/** The most things with text on them that are read; of a larger building only those asked for. */
const MOST_LABELLED = 4_000;
/** Only the latest captions are read: old ones do not rename a room. */
const MOST_TOLD = 1_000;

/** Signs and captions, and up to when they reach. */
export interface DatedEvidence extends NameEvidence {
  /** Equal for equal evidence in one state of the memory. */
  readonly upTo: string;
}

const READ = new WeakMap<Searching, Promise<DatedEvidence>>();

/** Signs in a building and captions about it up to now, read once for a question and each state of the memory. */
export function nameEvidence(memory: Searching): Promise<DatedEvidence> {
  const known = READ.get(memory) ?? evidenceUntilNow(memory);
  READ.set(memory, known);
  return known;
}

/** Whether a record is evidence for names: a caption, or a thing with text on it. */
export function isNaming(record: Stored): boolean {
  return record.kind === "caption" || (record.kind === "state" && printedOn(record).length > 0);
}

/** All evidence, where none is later than now, so that the result stays the same while time goes on. */
async function evidenceUntilNow(memory: Searching): Promise<DatedEvidence> {
  const all = await keptEvidence(memory, undefined);
  return all.lastUs <= memory.nowUs ? all : keptEvidence(memory, memory.nowUs);
}

function keptEvidence(memory: Searching, untilUs: number | undefined) {
  const { options } = memory;
  const upTo = `${options.sceneId ?? ""} ${untilUs ?? "all"}`;
  const time = { overlaps: { fromUs: 0, toUs: untilUs === undefined ? null : untilUs + 1 } };
  return keptUntilCommit(
    options.reader,
    `names ${upTo}`,
    async () => {
      const [things, captions] = await Promise.all([
        // Text read on a thing is part of its words: "sign that says “AISLE C”".
        memory.recorded({ kinds: ["state"], meaning: { words: "says" }, time, limit: MOST_LABELLED }),
        memory.recorded({ kinds: ["caption"], time, limit: MOST_TOLD, rank: "latest" }),
      ]);
      return {
        upTo,
        lastUs: Math.max(...[...things, ...captions].map(({ record }) => record.validFromUs)),
        labelled: things.flatMap(({ record, box }) =>
          record.kind === "state" ? (labelledBy(record, box) ?? []) : [],
        ),
        told: captions.flatMap(({ record, position }) =>
          record.kind === "caption" && position
            ? [{ lines: record.text, position, byPerson: record.source === "human" }]
            : [],
        ),
      };
    },
    isNaming,
  );
}
