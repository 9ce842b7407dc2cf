import { type KeptView, type StateRef, ViewAlbum } from "../perception/index.ts";
import type { ViewContext } from "../perception/view-record.ts";
import {
  LociError,
  type Percept,
  type RecordInput,
  type SightingInput,
  type TrackedFrame,
} from "../schema/core.ts";
import type { Gather } from "./gather.ts";
import type { PipelineOptions } from "./options.ts";
import type { Stages } from "./stages.ts";

type StateInput = Extract<RecordInput, { kind: "state" }>;

/** Most views that a state names, its best ones. */
const MOST_VIEWS = 3;
/** Smaller pictures show nothing; larger ones exceed robot cameras. */
const [LEAST_PX, MOST_PX] = [64, 4096];
/** States read from the memory at once. */
const GET = 500;

/**
 * Gives every state its best views: the album's choice is written into the records of states, whichever stage writes
 * them. A frame that is not kept waits in the album; if it shows a state best, it is kept after all at the next map
 * update, or at the end.
 */
export class Picturing {
  readonly album: ViewAlbum;
  /** Views that an earlier run wrote for states, used where this run has none. */
  readonly #earlier = new Map<string, readonly string[]>();
  /** The last written views of each state. */
  readonly #told = new Map<string, StateRef & { readonly best: string | undefined }>();
  readonly #options: Pick<PipelineOptions, "reader" | "readerNow" | "manyWriters">;

  constructor(options: PipelineOptions) {
    this.#options = options;
    const { viewPx } = options;
    if (viewPx !== undefined && !(viewPx >= LEAST_PX && viewPx <= MOST_PX))
      throw new LociError(
        "invalid-input",
        `the longest side of kept pictures is ${LEAST_PX} to ${MOST_PX} pixels, got ${viewPx}`,
      );
    this.album = new ViewAlbum({ perState: MOST_VIEWS, ...(viewPx !== undefined && { sidePx: viewPx }) });
  }

  /** Registers a frame, kept or waiting, and what earlier frames turn out to show. */
  async took(
    percept: Percept,
    tracked: TrackedFrame,
    kept: KeptView | undefined,
    { room, sightings }: { readonly room: string | undefined; readonly sightings: readonly SightingInput[] },
    gather: Gather,
  ): Promise<void> {
    if (kept) this.album.kept(kept.record, percept, tracked);
    else await this.album.wait(percept, tracked, room);
    gather.add({ records: this.album.hear(sightings) });
  }

  /** Keeps the frames that show states better than any view does, and updates the states. */
  settle(stages: readonly Pick<Stages, "tracker">[], gather: Gather, isEnd = false): void {
    const thingOf: NonNullable<ViewContext["thingOf"]> = (stateId) => {
      for (const { tracker } of stages) {
        const thing = tracker.describe(stateId);
        if (thing) return thing;
      }
      return undefined;
    };
    // At the end, detections of tracks confirmed only then are assigned.
    gather.add({ records: this.album.hear(gather.sightings) });
    for (const { record, blobs } of this.album.settle({ thingOf }, isEnd))
      gather.add({ records: [record], blobs });
    const news = this.album.takeChanged().filter((id) => {
      const told = this.#told.get(id);
      return told !== undefined && told.best !== this.album.viewsOf(told)[0];
    });
    for (const { tracker } of stages) gather.add(tracker.restate(news));
  }

  /** Writes the views into the states about to be written. */
  async stamp(gather: Gather): Promise<void> {
    const states = gather.records.filter((record) => record.kind === "state");
    if (states.length === 0) return;
    await this.#readEarlier(states);
    const stamped = states.map((state) => {
      const own = this.album.viewsOf(state);
      const views = [...new Set([...own, ...(this.#earlier.get(state.id) ?? [])])].slice(0, MOST_VIEWS);
      const { id, trackId, labels } = state;
      this.#told.set(id, { id, trackId, labels, best: own[0] });
      return { ...state, views };
    });
    gather.add({ records: stamped });
  }

  async #readEarlier(states: readonly StateInput[]): Promise<void> {
    const unknown = states.map(({ id }) => id).filter((id) => !this.#told.has(id) && !this.#earlier.has(id));
    if (unknown.length === 0) return;
    const { reader, readerNow, manyWriters } = this.#options;
    const now = (manyWriters && (await readerNow?.())) || reader;
    for (let from = 0; from < unknown.length; from += GET)
      for (const record of await now.get(unknown.slice(from, from + GET)))
        if (record?.kind === "state") this.#earlier.set(record.id, record.views);
  }
}
