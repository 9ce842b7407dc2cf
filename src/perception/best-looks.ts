import type { Percept, RgbImage, TrackedFrame } from "../schema/core.ts";
import { maskedCrop, plainCrop } from "./crops.ts";

/** Crops kept per thing: one tile each of its sheet. */
const LOOKS = 4;
const TILE_PX = 256;
/** Crops within this time show the same: the better one is kept. */
const APART_US = 1_500_000;
/** Most things with kept crops: 200 MB; those not seen for longest are dropped. */
const THINGS = 256;
/** Weight of a crop that is cut off by the picture's edge. */
const TRUNCATED = 0.25;
const GREY = 127;

/**
 * The same for crops to be read, 1.6 MB per thing at most: 260 MB. A turning camera soon sees letters at another
 * slant.
 */
const READ_PX = 320;
const READ_THINGS = 160;
const READ_APART_US = 600_000;

interface Look {
  readonly timeUs: number;
  readonly worth: number;
  readonly picture: RgbImage;
  /** Unmasked crops only: which pixels belong to the thing. */
  readonly inside?: Uint8Array;
}

/**
 * The best views of each thing as crops, for a model that names it or reads its text once, after all its views are
 * in, instead of once per frame. Bounded and deterministic.
 */
export class BestLooks {
  readonly #looks = new Map<string, Look[]>();
  readonly #isPlain: boolean;

  /** Either small with greyed surroundings, or unmodified for reading. */
  constructor({ plain = false }: { readonly plain?: boolean } = {}) {
    this.#isPlain = plain;
  }

  add(percept: Percept, { stateOf }: TrackedFrame): void {
    const { rgb, segments, intrinsics, timeUs, restricted } = percept;
    if (!rgb || restricted) return;
    percept.detections.forEach((detection, n) => {
      const stateId = stateOf[n];
      if (stateId === undefined) return;
      const { bbox, areaPx, truncated, occludedFraction } = detection;
      const worth = areaPx * (truncated ? TRUNCATED : 1) * (1 - occludedFraction);
      const own = this.#looks.get(stateId) ?? [];
      const apartUs = this.#isPlain ? READ_APART_US : APART_US;
      const replaced = replacedBy(own, timeUs, worth, apartUs);
      if (replaced === undefined) return;
      const pixels = segments ? pixelsOf(segments, segments.ids.indexOf(detection.id) + 1) : new Int32Array();
      const crop = this.#isPlain
        ? plainCrop(rgb, intrinsics, bbox, pixels, READ_PX)
        : { picture: maskedCrop(rgb, intrinsics, bbox, pixels, TILE_PX) };
      if (!crop?.picture) return;
      // Reinserted at the end: the first entries of the map were seen longest ago.
      this.#looks.delete(stateId);
      this.#looks.set(stateId, [
        ...own.filter((look) => look !== replaced),
        { timeUs, worth, ...crop, picture: crop.picture },
      ]);
    });
    for (const stateId of this.#looks.keys()) {
      if (this.#looks.size <= (this.#isPlain ? READ_THINGS : THINGS)) break;
      this.#looks.delete(stateId);
    }
  }

  /** The sheet of a thing, its best crop first; undefined if none was kept. */
  sheetOf(stateId: string): RgbImage | undefined {
    const looks = this.looksAt(stateId);
    return looks.length === 0 ? undefined : tiled(looks.map(({ picture }) => picture));
  }

  /** The crops of a thing, best first. */
  looksAt(stateId: string): Pick<Look, "picture" | "inside">[] {
    return [...(this.#looks.get(stateId) ?? [])].sort((a, b) => b.worth - a.worth);
  }
}

/** The crop to replace, null if there is room, undefined if the new one is no better. */
function replacedBy(
  own: readonly Look[],
  timeUs: number,
  worth: number,
  apartUs: number,
): Look | null | undefined {
  const same = own.find((look) => Math.abs(look.timeUs - timeUs) < apartUs);
  if (!same && own.length < LOOKS) return null;
  const weakest = same ?? own.reduce((a, b) => (b.worth < a.worth ? b : a));
  return worth > weakest.worth ? weakest : undefined;
}

function pixelsOf({ data }: { readonly data: Uint16Array }, number: number): Int32Array {
  const out: number[] = [];
  for (let at = 0; at < data.length; at++) if (data[at] === number) out.push(at);
  return Int32Array.from(out);
}

/** Pictures side by side in rows of two, each centred in its tile. */
function tiled(pictures: readonly RgbImage[]): RgbImage {
  const columns = Math.min(2, pictures.length);
  const [width, height] = [columns * TILE_PX, Math.ceil(pictures.length / columns) * TILE_PX];
  const data = new Uint8Array(3 * width * height).fill(GREY);
  pictures.forEach((picture, n) => {
    const left = (n % columns) * TILE_PX + ((TILE_PX - picture.width) >> 1);
    const top = Math.floor(n / columns) * TILE_PX + ((TILE_PX - picture.height) >> 1);
    for (let j = 0; j < picture.height; j++) {
      const row = picture.data.subarray(3 * j * picture.width, 3 * (j + 1) * picture.width);
      data.set(row, 3 * ((top + j) * width + left));
    }
  });
  return { width, height, data };
}
