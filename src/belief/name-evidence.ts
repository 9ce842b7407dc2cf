import type { Hit, MemoryReader, SearchRequest } from "../memory/index.ts";
import { keptUntilCommit } from "./kept.ts";
import { labelledBy } from "./labelled.ts";
import type { NameEvidence } from "./place-names.ts";

/** What of a memory it takes to find names. */
export interface Searching {
  readonly nowUs: number;
  readonly options: { readonly reader: MemoryReader; readonly sceneId?: string | undefined };
  search(request: SearchRequest): Promise<Hit[]>;
}

/** So many things with words on them are read; of a larger building only those that are asked for. */
const MOST_LABELLED = 4_000;
/** Of captions the latest: rooms are not renamed by what was said long ago. */
const MOST_TOLD = 1_000;

const READ = new WeakMap<Searching, Promise<NameEvidence>>();

/** What is written in a building and said about it up to now, read once for a question and each state of the memory. */
export function nameEvidence(memory: Searching): Promise<NameEvidence> {
  const known = READ.get(memory) ?? readEvidence(memory);
  READ.set(memory, known);
  return known;
}

function readEvidence(memory: Searching): Promise<NameEvidence> {
  const { options, nowUs } = memory;
  const time = { overlaps: { fromUs: 0, toUs: nowUs + 1 } };
  return keptUntilCommit(options.reader, `names ${options.sceneId ?? ""} ${nowUs}`, async () => {
    const [things, captions] = await Promise.all([
      // What was read on a thing is in its own words: "sign that says “AISLE C”".
      memory.search({ kinds: ["state"], meaning: { words: "says" }, time, limit: MOST_LABELLED }),
      memory.search({ kinds: ["caption"], time, limit: MOST_TOLD, rank: "latest" }),
    ]);
    return {
      labelled: things.flatMap(({ record, box }) =>
        record.kind === "state" ? (labelledBy(record, box) ?? []) : [],
      ),
      told: captions.flatMap(({ record, position }) =>
        record.kind === "caption" && position
          ? [{ lines: record.text, position, byPerson: record.source === "human" }]
          : [],
      ),
    };
  });
}
