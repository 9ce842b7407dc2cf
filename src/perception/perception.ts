import { compose, invert } from "../geometry/index.ts";
import type { Describer, TextEmbedder } from "../models/index.ts";
import {
  contentId,
  type Detection,
  type Frame,
  type FramePlace,
  LIMITS,
  type LiftedDetection,
  LociError,
  type MaskImage,
  type Percept,
  throwIfAborted,
} from "../schema/core.ts";
import { appearanceOf } from "./appearance.ts";
import { Clusters, type Rectangle } from "./clusters.ts";
import { thingsToDescribe } from "./crops.ts";
import { type Inspected, inspect, isRefused, type Refused } from "./gate.ts";
import { givenSolid } from "./given-solid.ts";
import { isTruncated, occludedFraction } from "./outline.ts";
import { cutBox, gatherSegments, rectangleOf, type Segment } from "./segments.ts";
import { LIFT_LIMITS, Lift, type LiftCamera, type LiftLimits } from "./solid.ts";
import { TextVectors } from "./text-vectors.ts";
import { oneLine, phraseOf } from "./words.ts";

export interface PerceptionOptions {
  readonly embedder: TextEmbedder;
  readonly sceneId: string;
  /** Access labels of everything that is seen. */
  readonly labels?: readonly string[];
  /** Describes a crop if the detector gave no phrase. */
  readonly describer?: Describer;
  readonly lift?: Partial<LiftLimits>;
  /** Of more, those with the highest scores are used. */
  readonly maxDetections?: number;
  /** Most cached phrase vectors. */
  readonly cachedTexts?: number;
}

interface PerceiveOptions {
  readonly signal?: AbortSignal;
  readonly inspected?: Inspected | Refused;
}

const MAX_DETECTIONS = 1_024;
const CACHED_TEXTS = 8_192;

/**
 * Turns posed frames into percepts: gated by quality; segments lifted into the submap, described and embedded. It
 * keeps no state between frames but a cache of vectors, so frames may come in any order.
 */
export class Perception {
  readonly #options: PerceptionOptions;
  readonly #lift: Lift;
  readonly #vectors: TextVectors;
  readonly #clusters = new Clusters();
  #depthM = new Float32Array(0);
  #marks = new Uint8Array(0);

  constructor(options: PerceptionOptions) {
    this.#options = options;
    const limits: LiftLimits = { ...LIFT_LIMITS, ...options.lift };
    const { minPoints, minPointsOfSmall, maxDepthM, poseSdM, poseSdRad } = limits;
    if (!(minPoints >= 1 && minPointsOfSmall >= 1 && maxDepthM > 0 && poseSdM >= 0 && poseSdRad >= 0)) {
      throw new LociError("invalid-input", `lift limits must be positive: ${JSON.stringify(limits)}`);
    }
    this.#lift = new Lift(limits);
    this.#vectors = new TextVectors(options.embedder, options.cachedTexts ?? CACHED_TEXTS);
  }

  /** A frame's quality, or why it is refused: known before its pose is estimated. */
  inspect(frame: Frame, place: FramePlace): Inspected | Refused {
    return inspect(frame, place);
  }

  /**
   * The percept of a frame at its final pose, or why it is refused; a frame already inspected is not inspected again.
   * Throws only what the embedder and the describer throw.
   */
  async perceive(
    frame: Frame,
    place: FramePlace & Pick<Percept, "observationId">,
    { signal, inspected = inspect(frame, place) }: PerceiveOptions = {},
  ): Promise<Percept | Refused> {
    throwIfAborted(signal);
    if (isRefused(inspected)) return inspected;
    const taken = takeDetections(frame, this.#options.maxDetections ?? MAX_DETECTIONS);
    // The shared buffers are free again after this: nothing in it awaits.
    const { looks, segments } = this.#look(frame, place, taken);
    const phrases = await this.#phrasesOf(frame, taken, looks, signal);
    const categories = taken.map(({ label }) => oneLine(label ?? "") || undefined);
    const words = [...phrases, ...categories.filter((category) => category !== undefined)];
    const vectors = await this.#vectors.of(words, signal);
    const detections = taken.map((one, n): LiftedDetection => {
      const { pixels: _pixels, ...look } = looks[n]!;
      const category = categories[n];
      return {
        id: contentId("det", place.observationId, n),
        ...look,
        score: Math.min(1, Math.max(0, one.score)),
        ...(one.faint === true && { faint: true }),
        ...(one.part !== undefined && { part: one.part }),
        category,
        ...(one.namedBy !== undefined && { namedBy: one.namedBy }),
        ...(one.maybe && { maybe: one.maybe }),
        phrase: phrases[n]!,
        attributes: one.attributes ?? {},
        vector: vectors.get(phrases[n]!) ?? null,
        categoryVector: category === undefined ? null : (vectors.get(category) ?? null),
      };
    });
    return {
      observationId: place.observationId,
      index: frame.index,
      timeUs: frame.timeUs,
      agentId: frame.agentId,
      sensorId: frame.sensorId,
      sceneId: this.#options.sceneId,
      labels: this.#options.labels ?? [],
      submap: place.submap,
      worldFromSubmap: place.worldFromSubmap,
      submapFromCamera: place.submapFromCamera,
      intrinsics: frame.intrinsics,
      rgb: frame.rgb,
      depth: frame.depth,
      quality: inspected.quality,
      restricted: inspected.restricted,
      detections,
      ...(frame.parts && { parts: frame.parts }),
      ...(isOfMap(frame) && {
        submapFromMap: compose(place.submapFromCamera, invert(frame.worldFromCamera!)),
      }),
      segments: segments && { ...segments, ids: detections.map(({ id }) => id) },
      captions: frame.captions ?? [],
    };
  }

  /** Everything computed from pixels: position, size, outline and colours of each detection. */
  #look(
    frame: Frame,
    place: FramePlace,
    taken: readonly Detection[],
  ): { looks: Look[]; segments: MaskImage | undefined } {
    if (taken.length === 0) return { looks: [], segments: undefined };
    const { intrinsics } = frame;
    const { width, height } = intrinsics;
    const depthM = this.#metresOf(frame);
    const focalPx = Math.min(intrinsics.fx, intrinsics.fy);
    const numbers = [...new Set(taken.flatMap(({ mask }) => (mask === undefined ? [] : [mask])))];
    const gathered = frame.masks && gatherSegments(frame.masks, numbers);
    const camera: LiftCamera | undefined = depthM && {
      depthM,
      intrinsics,
      submapFromCamera: place.submapFromCamera,
    };
    // What the volumetric map told apart in space needs no main surface: a clump of two would be two instances.
    const isCut = taken.every(({ part }) => part !== undefined);
    if (gathered && depthM && !isCut) {
      this.#clusters.look(gathered.labels, depthM, width, focalPx, {
        left: 0,
        top: 0,
        right: width,
        bottom: height,
      });
    }
    // The main parts first: cutting boxes reads other labels.
    const cores = gathered?.segments.map((segment) => {
      if (!segment || !depthM) return undefined;
      return isCut ? segment.pixels.filter((at) => depthM[at]! > 0) : this.#clusters.mainPart(segment.pixels);
    });
    const image = new Uint16Array(width * height);
    const looks = taken.map((one, n): Look => {
      const box = rectangleOf(one.bbox, intrinsics);
      const number = gathered && one.mask !== undefined ? numbers.indexOf(one.mask) : -1;
      let segment: Segment | undefined;
      let core: Int32Array | undefined;
      if (number >= 0) {
        segment = gathered?.segments[number];
        core = cores?.[number];
      } else if (depthM && box) {
        segment = cutBox(box, depthM, width, focalPx, this.#clusters);
        core = segment?.pixels;
      }
      const pixels = segment?.pixels ?? new Int32Array(0);
      for (let k = 0; k < pixels.length; k++) if (image[pixels[k]!] === 0) image[pixels[k]!] = n + 1;
      const seen = box ?? segment?.bounds ?? { left: 0, top: 0, right: 0, bottom: 0 };
      const bounds = number >= 0 && segment ? segment.bounds : seen;
      const shown = core?.length ? core : pixels;
      return {
        bbox: [seen.left, seen.top, seen.right, seen.bottom],
        areaPx: number >= 0 ? pixels.length : pixels.length || areaOf(seen),
        truncated: isTruncated(bounds, intrinsics),
        occludedFraction: core?.length && depthM ? occludedFraction(core, depthM, width, this.#marks) : 0,
        appearance: frame.rgb && appearanceOf(frame.rgb, shown, intrinsics),
        solid: one.box
          ? givenSolid(one.box, frame, place)
          : core && camera && this.#lift.solidOf(camera, core, pixels.length),
        pixels,
      };
    });
    return {
      looks,
      segments: looks.some(({ pixels }) => pixels.length > 0) ? { width, height, data: image } : undefined,
    };
  }

  /** Depth in metres in our buffer; 0 without a measurement or beyond the lifting range. */
  #metresOf({ depth }: Frame): Float32Array | undefined {
    if (!depth) return undefined;
    const { data, unitM } = depth;
    if (this.#depthM.length !== data.length) {
      this.#depthM = new Float32Array(data.length);
      this.#marks = new Uint8Array(data.length);
    }
    const depthM = this.#depthM;
    for (let at = 0; at < data.length; at++) depthM[at] = data[at]! * unitM;
    return depthM;
  }

  async #phrasesOf(
    frame: Frame,
    taken: readonly Detection[],
    looks: readonly Look[],
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const phrases = taken.map(({ text, label, attributes }) => phraseOf(text, label, attributes));
    const { describer } = this.#options;
    if (!describer) return phrases;
    const mute = taken.flatMap(({ text }, n) => (oneLine(text ?? "") === "" ? [n] : []));
    if (mute.length === 0) return phrases;
    const things = thingsToDescribe(
      frame,
      mute.map((n) => ({ ...taken[n]!, ...looks[n]! })),
    );
    const said = await describer.describe(things, signal ? { signal } : {});
    mute.forEach((n, place) => {
      const phrase = oneLine(said[place]?.phrase ?? "");
      if (phrase !== "") phrases[n] = phrase;
    });
    return phrases;
  }
}

type Look = Pick<
  LiftedDetection,
  "bbox" | "areaPx" | "truncated" | "occludedFraction" | "appearance" | "solid"
> & { readonly pixels: Int32Array };

/** Detections with an area and a score, the best of them if there are too many, in their own order. */
function takeDetections({ detections = [], intrinsics, masks }: Frame, limit: number): Detection[] {
  const sound = detections.filter(({ score, bbox, mask, attributes }) => {
    if (!Number.isFinite(score) || Object.keys(attributes ?? {}).length > LIMITS.attributesPerState)
      return false;
    const hasMask =
      masks !== undefined && mask !== undefined && Number.isInteger(mask) && mask > 0 && mask < 65_536;
    return hasMask || (bbox.every(Number.isFinite) && rectangleOf(bbox, intrinsics) !== undefined);
  });
  if (sound.length <= limit) return sound;
  const ranked = sound.map((one, n) => ({ one, n })).sort((a, b) => b.one.score - a.one.score || a.n - b.n);
  return ranked
    .slice(0, limit)
    .sort((a, b) => a.n - b.n)
    .map(({ one }) => one);
}

/** Whether its detections come from the volumetric map. */
function isOfMap({ worldFromCamera, detections = [] }: Frame): boolean {
  return worldFromCamera !== undefined && detections.some(({ part }) => part !== undefined);
}

function areaOf({ left, top, right, bottom }: Rectangle): number {
  return (right - left) * (bottom - top);
}
