import type { Vec3 } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import { isKindOf, mobilityOf } from "../ontology/index.ts";
import type { Presence, Stored } from "../schema/core.ts";
import { keptFollowing, type Written } from "./kept.ts";
import { pathOf } from "./labels.ts";
import { printedOn } from "./matching.ts";
import { followMerges } from "./merges.ts";
import type { Searching } from "./name-evidence.ts";
import { inWorld } from "./poses.ts";
import { TRANSFERS } from "./settings/presence.ts";
import type { StateRecord } from "./thing.ts";

/** A stay of a box with a code on it, and how it was seen. */
export interface MarkedStay {
  readonly record: StateRecord;
  readonly code: string;
  readonly position: Vec3;
  readonly presence: Presence;
  /** The identity behind its track. */
  readonly trackId: string;
}

interface Stay {
  readonly record: StateRecord;
  readonly position: Vec3 | undefined;
}

/** The stays of boxes with codes, brought up to date with each commit. */
export class Marked {
  readonly #stays = new Map<string, Stay>();
  readonly #presence = new Map<string, Presence>();
  readonly #tracks = new Map<string, string>();
  /** Stays that were written or seen since their presence was read. */
  readonly #unread = new Set<string>();
  #all: readonly MarkedStay[] | undefined;

  put(record: StateRecord, position: Vec3 | undefined): void {
    if (codeOn(record) === undefined) this.#stays.delete(record.id);
    else this.#stays.set(record.id, { record, position });
    this.#unread.add(record.id);
    this.#all = undefined;
  }

  follow({ put, sightings }: Written, positionOf: (record: Stored) => Vec3 | undefined): boolean {
    for (const record of put) {
      if (record.kind === "state" && (this.#stays.has(record.id) || codeOn(record) !== undefined))
        this.put(record, positionOf(record));
      if (record.kind !== "track" || record.mergedInto === undefined) continue;
      this.#tracks.clear();
      this.#all = undefined;
    }
    for (const { stateId } of sightings) {
      if (!this.#stays.has(stateId)) continue;
      this.#unread.add(stateId);
      this.#all = undefined;
    }
    return this.#stays.size <= TRANSFERS.mostMarked;
  }

  /** All of them; the same list until one of them is written or seen again. */
  async all(reader: MemoryReader): Promise<readonly MarkedStay[]> {
    if (this.#all) return this.#all;
    const unread = [...this.#unread];
    for (const presence of await reader.presence(unread)) this.#presence.set(presence.stateId, presence);
    for (const id of unread) this.#unread.delete(id);
    const stays = [...this.#stays.values()];
    await followMerges(
      reader,
      this.#tracks,
      stays.map(({ record }) => record.trackId),
    );
    const all = stays.flatMap(({ record, position }) => {
      const presence = this.#presence.get(record.id);
      if (!position || !presence || presence.seenCount === 0) return [];
      const trackId = this.#tracks.get(record.trackId) ?? record.trackId;
      return [{ record, code: codeOn(record)!, position, presence, trackId }];
    });
    this.#all = all;
    return all;
  }
}

/** The code on a box; undefined for other things, and for the names of places. */
function codeOn(record: StateRecord): string | undefined {
  const isGoods = mobilityOf(record.category) === "carried" || isKindOf(record.category, "box");
  const [text] = isGoods ? printedOn(record) : [];
  const path = text === undefined ? undefined : pathOf(text);
  return path && path.length > 1 ? text : undefined;
}

/** The stays of boxes with codes that began up to a time. */
export async function markedIn(memory: Searching, untilUs: number | undefined): Promise<Marked> {
  const { reader, sceneId } = memory.options;
  const frames = await reader.frames();
  const isMeant = (record: Stored) =>
    (sceneId === undefined || record.sceneId === sceneId) && record.validFromUs <= (untilUs ?? Infinity);
  return keptFollowing(
    reader,
    `marked ${sceneId ?? ""} ${untilUs ?? "all"}`,
    async () => {
      const marked = new Marked();
      const hits = await memory.recorded({
        kinds: ["state"],
        meaning: { words: "says" },
        time: { overlaps: { fromUs: 0, toUs: untilUs === undefined ? null : untilUs + 1 } },
        limit: TRANSFERS.mostMarked,
      });
      for (const { record, position } of hits) if (record.kind === "state") marked.put(record, position);
      return marked;
    },
    (made, { put, sightings }) =>
      made.follow({ put: put.filter(isMeant), sightings }, ({ anchor }) => anchor && inWorld(frames, anchor)),
  );
}
