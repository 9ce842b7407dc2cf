import { compose, type Transform } from "../geometry/index.ts";
import type { Percept, RecordOf, TrackedFrame } from "../schema/core.ts";
import { type KnownView, KnownViews } from "./known-views.ts";
import { pictureOf } from "./pictures.ts";
import { SIGNATURE_HEIGHT, SIGNATURE_WIDTH, signatureOf, ssim } from "./ssim.ts";
import type { ViewAlbum } from "./view-album.ts";
import {
  encodeView,
  ownIdOf,
  type ViewContext,
  type ViewInput,
  viewRecord,
  visibleOf,
} from "./view-record.ts";

/** "paper" takes MemoryEQA literally: 5 m and 15°, through walls, and every similar frame replaces its view. */
export type ViewMode = "loci" | "paper";

export interface ViewOptions {
  readonly mode?: ViewMode;
  /** At most one view per sensor within this time. */
  readonly rateUs?: number;
  /** A pose is known if a view lies within both of these limits. */
  readonly knownM?: number;
  readonly knownRad?: number;
  /** Weight of SSIM against content, and the similarity from which on two views show the same. */
  readonly alpha?: number;
  readonly similar?: number;
  /** A view that shows nothing new is written again only after this time: a parked robot writes little. */
  readonly refreshUs?: number;
  /** Longest side of the stored pictures. */
  readonly sidePx?: number;
  /** Most views compared; older ones are dropped here, not in the memory. */
  readonly maxViews?: number;
  /** The best views of each state: such a view is only replaced by an equally good one. */
  readonly album?: ViewAlbum | undefined;
}

/** A view to be written, under an older view's id if it shows the same from the same place. */
export interface KeptView {
  readonly record: ViewInput;
  readonly blobs: Uint8Array[];
  readonly supersedes: boolean;
}

/** Frames are late by seconds; a view further in the future dates from before the clock was set back. */
const JUMP_US = 60_000_000;
const DEFAULTS = { rateUs: 1_000_000, alpha: 0.5, similar: 0.75, sidePx: 640, maxViews: 4_096 };
const MODES = {
  loci: { knownM: 1.5, knownRad: (20 * Math.PI) / 180, refreshUs: 10_000_000 },
  paper: { knownM: 5, knownRad: (15 * Math.PI) / 180, refreshUs: 0 },
} as const;

/**
 * Decides which frames are kept as views (docs/formulas.md#views), and encodes their pictures. A frame from a known
 * place that shows the same becomes the next version of that view; any other frame, at most once a second, becomes a
 * new view. A black frame never replaces a picture.
 */
export class ViewKeeper {
  readonly #mode: ViewMode;
  readonly #options: Required<Omit<ViewOptions, "mode" | "album">>;
  readonly #album: ViewAlbum | undefined;
  readonly #known: KnownViews;
  readonly #lastUs = new Map<string, number>();
  /** Streams in which something changed while the rate limit allowed no view. */
  readonly #pending = new Set<string>();

  constructor(options: ViewOptions = {}) {
    const { mode = "loci", album, ...given } = options;
    this.#album = mode === "paper" ? undefined : album;
    this.#mode = mode;
    this.#options = { ...DEFAULTS, ...MODES[mode], ...given };
    this.#known = new KnownViews({ maxViews: this.#options.maxViews, cellM: this.#options.knownM });
  }

  /** The view of this frame, if it is kept. Only then are pictures encoded. */
  async keep(
    percept: Percept,
    tracked: TrackedFrame,
    context: ViewContext = {},
  ): Promise<KeptView | undefined> {
    const picture = pictureOf(percept);
    if (!picture) return undefined;
    const stream = `${percept.agentId}/${percept.sensorId}`;
    const lastUs = this.#lastUs.get(stream);
    if (tracked.changed.length > 0) this.#pending.add(stream);
    // Late frames count by their own time, so a view may be earlier than the last one.
    if (lastUs !== undefined && Math.abs(percept.timeUs - lastUs) < this.#options.rateUs) return undefined;
    this.#known.moveSubmap(percept.submap, percept.worldFromSubmap);
    const signature = signatureOf(picture);
    const visible = visibleOf(percept, tracked);
    const states = new Set(visible.keys());
    const id = this.#idFor(percept, tracked, signature, states, context, this.#pending.has(stream));
    if (id === undefined) return undefined;
    this.#lastUs.set(stream, percept.timeUs);
    this.#pending.delete(stream);
    this.#known.put({
      id,
      agentId: percept.agentId,
      submap: percept.submap,
      submapFromCamera: percept.submapFromCamera,
      timeUs: percept.timeUs,
      room: context.room,
      signature,
      states,
      feature: context.feature,
    });
    const kept = await encodeView(percept, picture, signature, visible, this.#options.sidePx);
    const record = viewRecord(id, percept, visible, kept, context);
    return { record, blobs: kept.blobs, supersedes: id !== ownIdOf(percept) };
  }

  /** Restores a view of an earlier run; ingest reads them from the memory. */
  restore(record: RecordOf<"view">, signature: Uint8Array): void {
    const { anchor } = record;
    if (!anchor?.q || signature.length !== SIGNATURE_WIDTH * SIGNATURE_HEIGHT) return;
    this.#known.put({
      id: record.id,
      agentId: record.author,
      submap: anchor.submap,
      submapFromCamera: { p: anchor.p, q: anchor.q },
      timeUs: record.validFromUs,
      room: record.room,
      signature,
      states: new Set(record.visible.map(({ stateId }) => stateId)),
      feature: undefined,
    });
  }

  /** A new map revision: the poses of earlier views move with their submaps. */
  correct(worldFromSubmap: (submap: string) => Transform | undefined): void {
    for (const submap of this.#known.submaps()) {
      const transform = worldFromSubmap(submap);
      if (transform) this.#known.moveSubmap(submap, transform);
    }
  }

  /** The id under which the frame is kept: its own, that of the view it supersedes, or none. */
  #idFor(
    percept: Percept,
    tracked: TrackedFrame,
    signature: Uint8Array,
    states: ReadonlySet<string>,
    context: ViewContext,
    changed: boolean,
  ): string | undefined {
    const { knownM, knownRad, similar, refreshUs } = this.#options;
    const worldFromCamera = compose(percept.worldFromSubmap, percept.submapFromCamera);
    const known = this.#known
      .near(percept.agentId, worldFromCamera, knownM, knownRad)
      .filter(({ room }) => this.#mode === "paper" || sameRoom(room, context.room));
    // Proof of presence, once per place: never instead of a picture (docs/formulas.md#black-frames).
    if (percept.restricted)
      return known.length === 0 || this.#mode === "paper" ? ownIdOf(percept) : undefined;
    let best: KnownView | undefined;
    let most = similar;
    for (const view of known) {
      if (view.timeUs > percept.timeUs + JUMP_US) continue;
      const sim = this.#similarity(view, signature, states, context.feature);
      if (sim < most || (sim === most && best && view.id > best.id)) continue;
      best = view;
      most = sim;
    }
    if (!best) return ownIdOf(percept);
    // A late frame does not replace a later one.
    if (best.timeUs > percept.timeUs) return undefined;
    if (!changed && percept.timeUs - best.timeUs < refreshUs) return undefined;
    // The only picture that shows something well is kept.
    return this.#album?.mayReplace(best.id, percept, tracked) === false ? ownIdOf(percept) : best.id;
  }

  /** SIM = α·SSIM + (1 − α)·semantic (MemoryEQA eq. 5); SSIM alone where neither view shows anything known. */
  #similarity(
    view: KnownView,
    signature: Uint8Array,
    states: ReadonlySet<string>,
    feature: Float32Array | undefined,
  ): number {
    const { alpha } = this.#options;
    const structure = ssim(view.signature, signature);
    if (feature && view.feature?.length === feature.length) {
      return alpha * structure + (1 - alpha) * cosine(feature, view.feature);
    }
    let shared = 0;
    for (const id of states) if (view.states.has(id)) shared++;
    const either = view.states.size + states.size - shared;
    return either === 0 ? structure : alpha * structure + ((1 - alpha) * shared) / either;
  }
}

/**
 * Views from two rooms never match, however near; if a room is unknown, the picture decides (docs/formulas.md#views).
 */
function sameRoom(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

function cosine(a: Float32Array, b: Float32Array): number {
  const [one, two] = [Math.hypot(...a), Math.hypot(...b)];
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += a[n]! * b[n]!;
  return one > 0 && two > 0 ? sum / (one * two) : 0;
}
