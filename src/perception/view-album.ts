import {
  LIMITS,
  type Percept,
  type RecordOf,
  type SightingInput,
  type TrackedFrame,
} from "../schema/core.ts";
import { encodeJpeg, pictureOf } from "./pictures.ts";
import { signatureOf } from "./ssim.ts";
import { ownIdOf, type ViewContext, type ViewInput, type Visible, viewRecord } from "./view-record.ts";
import { worthOf } from "./view-worth.ts";

/** What a frame shows: views of states, and of detections not assigned to a state yet. */
interface Looks {
  readonly visible: Map<string, Visible>;
  readonly worths: Map<string, number>;
  readonly open: Map<string, { readonly look: Visible; readonly worth: number }>;
}

/**
 * A frame that is not kept yet, with its picture already encoded, because its pixels belong to the recording's
 * reader.
 */
interface Waiting extends Looks {
  readonly percept: Percept;
  readonly room: string | undefined;
  readonly thumb: Uint8Array;
  readonly signature: Uint8Array;
}

/** A view that was written while some of its detections were unassigned. */
interface Written extends Looks {
  record: ViewInput;
}

interface Best {
  readonly viewId: string;
  readonly worth: number;
  /** Access labels of the view: a state that all may see must not name a restricted view. */
  readonly labels: readonly string[];
}

/** A state with the fields that select its views. */
export interface StateRef {
  readonly id: string;
  readonly trackId: string;
  readonly labels?: readonly string[] | undefined;
}

const DEFAULTS = {
  /** Most views that a state names, its best ones. */
  perState: 3,
  /** A picture is kept if it shows a state better than any kept one by this factor. */
  better: 1.6,
  /** A view may be replaced by one that shows each of its states at least this well (share). */
  asGood: 0.6,
  /** Most waiting frames, and the bytes of their pictures. */
  maxWaiting: 256,
  maxBytes: 24_000_000,
  /** Least spacing (µs) between waiting frames with unassigned detections, unless they show another category. */
  openEveryUs: 400_000,
  /** Most states and written views remembered; older ones are dropped here, not in the memory. */
  maxStates: 50_000,
  maxWritten: 512,
  sidePx: 640,
  /** Weight of a frame in its camera's mean sharpness (share). */
  blurShare: 0.05,
};

export type AlbumOptions = Partial<typeof DEFAULTS>;

/**
 * Keeps track of the best views of each state. The view keeper thins out frames by place and time; the album rescues
 * frames that alone show a state well. Such frames wait with their pictures encoded, and are kept once it is certain
 * that no other view shows the state as well. A track is often confirmed several observations after its first one, so
 * frames with unassigned detections wait too, until tracking assigns them.
 */
export class ViewAlbum {
  readonly #options: typeof DEFAULTS;
  readonly #best = new Map<string, Best[]>();
  /** The states that each view shows, for views that are among the best of any state. */
  readonly #shows = new Map<string, Set<string>>();
  /** Mean sharpness of each camera so far: variance of the Laplacian. */
  readonly #blur = new Map<string, number>();
  /** States by their track: when a state is merged away, its views stay with the track. */
  readonly #tracks = new Map<string, Set<string>>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #written = new Map<string, Written>();
  readonly #changed = new Set<string>();
  readonly #lastOpen = new Map<string, { timeUs: number; readonly kinds: Set<string> }>();
  /** What the current frame shows. */
  #latest: { readonly percept: Percept; readonly tracked: TrackedFrame; readonly looks: Looks } | undefined;
  #bytes = 0;

  constructor(options: AlbumOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Whether a view may be replaced by a frame: each of its states is shown about as well there, or elsewhere. */
  mayReplace(viewId: string, percept: Percept, tracked: TrackedFrame): boolean {
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

  /** Registers a kept frame under its record's id; what that view showed before is dropped. */
  kept(record: ViewInput, percept: Percept, tracked: TrackedFrame): void {
    for (const [observationId, view] of this.#written)
      if (view.record.id === record.id) this.#written.delete(observationId);
    for (const stateId of this.#shows.get(record.id) ?? []) this.#forget(stateId, record.id);
    this.#shows.delete(record.id);
    this.#note(record, this.#looksOf(percept, tracked));
  }

  /** Restores a view of an earlier run. */
  restore({ id, visible, labels }: RecordOf<"view">): void {
    const width = Math.max(1, ...visible.map(({ bbox }) => bbox[2]));
    const height = Math.max(1, ...visible.map(({ bbox }) => bbox[3]));
    for (const { stateId, bbox, fraction } of visible)
      this.#add(stateId, { viewId: id, worth: worthOf({ bbox, fraction }, { width, height }), labels });
    this.#changed.clear();
  }

  /**
   * A frame that was not kept: it waits if it shows something better than any view does, or an unassigned detection.
   */
  async wait(percept: Percept, tracked: TrackedFrame, room: string | undefined): Promise<void> {
    const picture = percept.restricted ? undefined : pictureOf(percept);
    if (!picture) return;
    const looks = this.#looksOf(percept, tracked);
    if (!this.#isBetter(looks) && !this.#isOpen(percept, looks)) return;
    const { sidePx } = this.#options;
    const thumb = await encodeJpeg(picture, sidePx);
    // Large buffers stay with the recording's reader, which may reuse them.
    const { rgb: _rgb, depth: _depth, segments: _segments, ...rest } = percept;
    const signature = signatureOf(picture);
    this.#waiting.set(percept.observationId, {
      ...looks,
      percept: rest as Percept,
      room,
      thumb,
      signature,
    });
    this.#bytes += thumb.length;
    this.#forgetOldest();
  }

  /** Assigns detections to their states: views that show them are written again with these states. */
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
   * The waiting frames worth keeping: greedily the one that adds most, until every state is shown as well as
   * possible. Others stay while they have unassigned detections; at the end none does.
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
   * The views that show a state best, best first; without any, those of other states of its track. Only views that a
   * reader of the state may see.
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

  /** States whose best views have changed since the last call. */
  takeChanged(): string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  #looksOf(percept: Percept, tracked: TrackedFrame): Looks {
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

  /** A frame's sharpness relative to its camera's mean. */
  #sharpnessOf({ agentId, sensorId, quality }: Percept): number {
    const stream = `${agentId}/${sensorId}`;
    const mean = this.#blur.get(stream) ?? quality.blur;
    this.#blur.set(stream, mean + (quality.blur - mean) * this.#options.blurShare);
    return mean > 0 ? quality.blur / mean : 1;
  }

  /** The worth of a state's best kept view. */
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

  /** Whether it shows an unassigned detection: of another category than a moment ago, or after the spacing. */
  #isOpen({ agentId, sensorId, timeUs }: Percept, { open }: Looks): boolean {
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

  /** How much better a frame shows states than views do, summed over those it shows clearly better. */
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

/** Maps keep insertion order: the first entry is the oldest. */
function forgetOldest(kept: Map<string, unknown>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}
