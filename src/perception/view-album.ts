import { LIMITS, type RecordOf, type SightingInput, type TrackedFrame } from "../schema/core.ts";
import { encodeJpeg, pictureOf } from "./pictures.ts";
import type { PerceivedFrame } from "./posed-frame.ts";
import { signatureOf } from "./ssim.ts";
import { ownIdOf, type ViewContext, type ViewInput, type Visible, viewRecord } from "./view-record.ts";
import { worthOf } from "./view-worth.ts";

/** A frame as the album takes it: what it shows, by state, and what of it is of nobody yet, by detection. */
interface Looks {
  readonly visible: Map<string, Visible>;
  readonly worths: Map<string, number>;
  readonly open: Map<string, { readonly look: Visible; readonly worth: number }>;
}

/** A frame that is not kept yet, with its picture made: its pixels belong to the reader of the recording. */
interface Waiting extends Looks {
  readonly percept: PerceivedFrame;
  readonly room: string | undefined;
  readonly thumb: Uint8Array;
  readonly signature: Uint8Array;
}

/** A view that was written while some of what it shows was of nobody yet. */
interface Written extends Looks {
  record: ViewInput;
}

interface Best {
  readonly viewId: string;
  readonly worth: number;
  /** Access labels of the view: a state that all may see names no view that they may not. */
  readonly labels: readonly string[];
}

/** A state by what its views hang on. */
export interface StateRef {
  readonly id: string;
  readonly trackId: string;
  readonly labels?: readonly string[] | undefined;
}

const DEFAULTS = {
  /** Views that a state names, its best ones. */
  perState: 3,
  /** A picture is worth keeping that shows a state so many times as well as any kept one does. */
  better: 1.6,
  /** A view may be replaced by one that shows each of its states at least so well (share). */
  asGood: 0.6,
  /** Frames that wait, and the bytes of their pictures. */
  maxWaiting: 256,
  maxBytes: 24_000_000,
  /** Frames with looks that are of nobody yet wait no closer to each other than this (µs), unless they show another kind. */
  openEveryUs: 400_000,
  /** States and written views that are remembered; the oldest are forgotten here, not in the memory. */
  maxStates: 50_000,
  maxWritten: 512,
  sidePx: 640,
  /** How much a frame counts in the mean sharpness of its camera (share). */
  blurShare: 0.05,
};

export type AlbumOptions = Partial<typeof DEFAULTS>;

/**
 * Which views show each state best. The view keeper thins out frames by place and time; the album sees to it that what a
 * thinned-out frame alone showed well is not lost: such frames wait with their pictures made, and are kept when it is clear
 * that no other view shows a state as well. Things are often believed some looks after the first one, so looks that are of
 * nobody wait too, and get their names when tracking tells whose they were.
 */
export class ViewAlbum {
  readonly #options: typeof DEFAULTS;
  readonly #best = new Map<string, Best[]>();
  /** What each view shows, of those that are among the best of something. */
  readonly #shows = new Map<string, Set<string>>();
  /** Mean sharpness of each camera's frames so far, variance of the Laplacian. */
  readonly #blur = new Map<string, number>();
  /** States by the track that they are of: where a state was merged away its views go on with the track. */
  readonly #tracks = new Map<string, Set<string>>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #written = new Map<string, Written>();
  readonly #changed = new Set<string>();
  readonly #lastOpen = new Map<string, { timeUs: number; readonly kinds: Set<string> }>();
  /** The looks of the frame that is being worked on. */
  #latest:
    | { readonly percept: PerceivedFrame; readonly tracked: TrackedFrame; readonly looks: Looks }
    | undefined;
  #bytes = 0;

  constructor(options: AlbumOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Whether a view may become one of a frame: each state that it shows is shown about as well there, or elsewhere. */
  mayReplace(viewId: string, percept: PerceivedFrame, tracked: TrackedFrame): boolean {
    const shows = this.#shows.get(viewId);
    if (!shows) return true;
    const { worths } = this.#looksOf(percept, tracked);
    return [...shows].every((stateId) => {
      const all = this.#best.get(stateId) ?? [];
      const own = all.find((one) => one.viewId === viewId);
      if (!own) return true;
      const others = all.filter((one) => one !== own).map(({ worth }) => worth);
      return Math.max(worths.get(stateId) ?? 0, ...others) >= own.worth * this.#options.asGood;
    });
  }

  /** A frame that was kept, under the id of its record: what that showed before is forgotten. */
  kept(record: ViewInput, percept: PerceivedFrame, tracked: TrackedFrame): void {
    for (const [observationId, view] of this.#written)
      if (view.record.id === record.id) this.#written.delete(observationId);
    for (const stateId of this.#shows.get(record.id) ?? []) this.#forget(stateId, record.id);
    this.#shows.delete(record.id);
    this.#note(record, this.#looksOf(percept, tracked));
  }

  /** Goes on from a view of an earlier run. */
  restore({ id, visible, labels }: RecordOf<"view">): void {
    const width = Math.max(1, ...visible.map(({ bbox }) => bbox[2]));
    const height = Math.max(1, ...visible.map(({ bbox }) => bbox[3]));
    for (const { stateId, bbox, fraction } of visible)
      this.#add(stateId, { viewId: id, worth: worthOf({ bbox, fraction }, { width, height }), labels });
    this.#changed.clear();
  }

  /** A frame that was not kept: waits where it shows something better than any view does, or something of nobody. */
  async wait(percept: PerceivedFrame, tracked: TrackedFrame, room: string | undefined): Promise<void> {
    const picture = percept.restricted ? undefined : pictureOf(percept);
    if (!picture) return;
    const looks = this.#looksOf(percept, tracked);
    if (!this.#isBetter(looks) && !this.#isOpen(percept, looks)) return;
    const { sidePx } = this.#options;
    const thumb = await encodeJpeg(picture, sidePx);
    // What is large of a frame is left to the reader of the recording, which may use its buffers again.
    const { rgb: _rgb, depth: _depth, segments: _segments, ...rest } = percept;
    const signature = signatureOf(picture);
    this.#waiting.set(percept.observationId, {
      ...looks,
      percept: rest as PerceivedFrame,
      room,
      thumb,
      signature,
    });
    this.#bytes += thumb.length;
    this.#forgetOldest();
  }

  /** Looks whose thing is now known: views that show them are written once more, with the thing among what they show. */
  hear(sightings: readonly SightingInput[]): ViewInput[] {
    const again = new Map<string, ViewInput>();
    for (const { stateId, outcome, observationId, detectionId } of sightings) {
      if (outcome !== "seen" || observationId === undefined || detectionId === undefined) continue;
      const frame = this.#written.get(observationId) ?? this.#waiting.get(observationId);
      const found = frame?.open.get(detectionId);
      if (!frame || !found) continue;
      frame.open.delete(detectionId);
      if (frame.visible.has(stateId) || frame.visible.size >= LIMITS.refsPerRecord) continue;
      frame.visible.set(stateId, found.look);
      frame.worths.set(stateId, found.worth);
      const written = this.#written.get(observationId);
      if (!written) continue;
      const { bbox, depthM, fraction } = found.look;
      const visible = [...(written.record.visible ?? []), { stateId, bbox: [...bbox], depthM, fraction }];
      written.record = { ...written.record, visible } as ViewInput;
      again.set(written.record.id, written.record);
      const { id: viewId, labels = [] } = written.record;
      this.#add(stateId, { viewId, worth: found.worth, labels });
    }
    return [...again.values()];
  }

  /**
   * The waiting frames that are worth keeping: one after the other that which adds most, until every state is shown as well
   * as any of them can. Others go on waiting while they hold looks of nobody; at the end none does.
   */
  settle(
    context: Pick<ViewContext, "thingOf">,
    isEnd: boolean,
  ): { record: ViewInput; blobs: Uint8Array[] }[] {
    const kept: { record: ViewInput; blobs: Uint8Array[] }[] = [];
    for (;;) {
      let best: Waiting | undefined;
      let most = 0;
      for (const frame of this.#waiting.values()) {
        const gain = this.#gainOf(frame);
        if (gain > most) [best, most] = [frame, gain];
      }
      if (!best) break;
      const { percept, room, visible, thumb, signature } = best;
      const id = ownIdOf(percept);
      const encoded = { thumb, signature, blobs: [thumb, signature] };
      const record = viewRecord(id, percept, visible, encoded, { ...context, room });
      this.#drop(percept.observationId);
      this.#note(record, best);
      kept.push({ record, blobs: encoded.blobs });
    }
    for (const { percept, open } of [...this.#waiting.values()])
      if (isEnd || open.size === 0) this.#drop(percept.observationId);
    return kept;
  }

  /**
   * The views that show a state best, best first; of one that none shows, those of others of its track. None that a reader of
   * the state might not see.
   */
  viewsOf({ id, trackId, labels = [] }: StateRef): string[] {
    this.#tracks.set(trackId, (this.#tracks.get(trackId) ?? new Set()).add(id));
    forgetOldest(this.#tracks, this.#options.maxStates);
    const viewsBy = (state: string) =>
      (this.#best.get(state) ?? []).filter((view) => view.labels.every((label) => labels.includes(label)));
    const own = viewsBy(id);
    const all = own.length > 0 ? own : [...this.#tracks.get(trackId)!].flatMap(viewsBy);
    const best = all.toSorted((a, b) => b.worth - a.worth || (a.viewId < b.viewId ? -1 : 1));
    return [...new Set(best.map(({ viewId }) => viewId))].slice(0, this.#options.perState);
  }

  /** States whose views are others than when this was last asked. */
  takeChanged(): string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  #looksOf(percept: PerceivedFrame, tracked: TrackedFrame): Looks {
    if (this.#latest?.percept === percept && this.#latest.tracked === tracked) return this.#latest.looks;
    const looks: Looks = { visible: new Map(), worths: new Map(), open: new Map() };
    const sharpness = this.#sharpnessOf(percept);
    percept.detections.forEach((one, n) => {
      const stateId = tracked.stateOf[n];
      const look: Visible = {
        detectionId: one.id,
        bbox: one.bbox,
        depthM: one.solid?.depthM ?? 0,
        fraction: 1 - one.occludedFraction,
        thing: { category: one.category ?? "thing", phrase: one.phrase, attributes: one.attributes },
      };
      const worth = worthOf({ ...look, isTruncated: one.truncated, sharpness }, percept.intrinsics);
      if (stateId === undefined) looks.open.set(one.id, { look, worth });
      else if (worth >= (looks.worths.get(stateId) ?? 0)) {
        looks.visible.set(stateId, look);
        looks.worths.set(stateId, worth);
      }
    });
    this.#latest = { percept, tracked, looks };
    return looks;
  }

  /** How sharp a frame is beside the mean of its camera's. */
  #sharpnessOf({ agentId, sensorId, quality }: PerceivedFrame): number {
    const stream = `${agentId}/${sensorId}`;
    const mean = this.#blur.get(stream) ?? quality.blur;
    this.#blur.set(stream, mean + (quality.blur - mean) * this.#options.blurShare);
    return mean > 0 ? quality.blur / mean : 1;
  }

  /** Of a state the best kept look. */
  #keptWorth(stateId: string): number {
    return Math.max(0, ...(this.#best.get(stateId) ?? []).map(({ worth }) => worth));
  }

  #isBetter({ worths }: Looks): boolean {
    for (const [stateId, worth] of worths) {
      const waiting = Math.max(
        0,
        ...Array.from(this.#waiting.values(), (one) => one.worths.get(stateId) ?? 0),
      );
      if (worth > this.#options.better * this.#keptWorth(stateId) && worth > this.#options.better * waiting)
        return true;
    }
    return false;
  }

  /** Whether it shows something of nobody: another kind of thing than a moment ago, or the moment is over. */
  #isOpen({ agentId, sensorId, timeUs }: PerceivedFrame, { open }: Looks): boolean {
    if (open.size === 0) return false;
    const stream = `${agentId}/${sensorId}`;
    const last = this.#lastOpen.get(stream);
    const kinds = new Set(Array.from(open.values(), ({ look }) => look.thing.category));
    const isSoon = last !== undefined && Math.abs(timeUs - last.timeUs) < this.#options.openEveryUs;
    if (isSoon && [...kinds].every((kind) => last.kinds.has(kind))) return false;
    if (isSoon) for (const kind of kinds) last.kinds.add(kind);
    else this.#lastOpen.set(stream, { timeUs, kinds });
    return true;
  }

  /** How much better a frame shows states than views do, summed over those that it shows clearly better. */
  #gainOf({ worths }: Waiting): number {
    let gain = 0;
    for (const [stateId, worth] of worths) {
      const kept = this.#keptWorth(stateId);
      if (worth > this.#options.better * kept) gain += worth - kept + (kept === 0 ? 1 : 0);
    }
    return gain;
  }

  #note(record: ViewInput, looks: Looks): void {
    for (const [stateId, worth] of looks.worths)
      if (looks.visible.has(stateId))
        this.#add(stateId, { viewId: record.id, worth, labels: record.labels ?? [] });
    if (looks.open.size === 0) return;
    this.#written.set(record.observationId, { ...looks, record });
    forgetOldest(this.#written, this.#options.maxWritten);
  }

  #add(stateId: string, best: Best): void {
    const all = (this.#best.get(stateId) ?? []).filter(({ viewId }) => viewId !== best.viewId);
    const before = all.length === 0 ? 0 : all[0]!.worth;
    all.push(best);
    all.sort((a, b) => b.worth - a.worth || (a.viewId < b.viewId ? -1 : 1));
    this.#best.set(stateId, all.slice(0, this.#options.perState));
    if (best.worth > before) this.#changed.add(stateId);
    const shows = this.#shows.get(best.viewId) ?? new Set();
    this.#shows.set(best.viewId, shows.add(stateId));
    forgetOldest(this.#shows, this.#options.maxStates);
    forgetOldest(this.#best, this.#options.maxStates);
  }

  #forget(stateId: string, viewId: string): void {
    const left = (this.#best.get(stateId) ?? []).filter((one) => one.viewId !== viewId);
    this.#best.set(stateId, left);
    this.#changed.add(stateId);
  }

  #drop(observationId: string): void {
    this.#bytes -= this.#waiting.get(observationId)?.thumb.length ?? 0;
    this.#waiting.delete(observationId);
  }

  #forgetOldest(): void {
    for (const id of this.#waiting.keys()) {
      if (this.#waiting.size <= this.#options.maxWaiting && this.#bytes <= this.#options.maxBytes) return;
      this.#drop(id);
    }
  }
}

/** Maps keep the order of insertion: the first is the oldest. */
function forgetOldest(kept: Map<string, unknown>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}
