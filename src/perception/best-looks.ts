import type { RgbImage, TrackedFrame } from "../schema/core.ts";
import { maskedCrop, plainCrop } from "./crops.ts";
import type { PerceivedFrame } from "./posed-frame.ts";

/** Looks kept of a thing: one tile each of its sheet. */
const LOOKS = 4;
const TILE_PX = 160;
/** Looks within this time show the same: the better one is kept. */
const APART_US = 1_500_000;
/** Things whose looks are kept at most: 150 MB; those not seen for longest make room. */
const THINGS = 500;
/** A look that is cut off by the picture's edge shows a part. */
const TRUNCATED = 0.25;
const GREY = 127;

/** The same of crops that are read, and so of 1.6 MB a thing at most: 260 MB. A camera that turns shows letters at another slant soon. */
const READ_PX = 320;
const READ_THINGS = 160;
const READ_APART_US = 600_000;

interface Look {
  readonly timeUs: number;
  readonly worth: number;
  readonly picture: RgbImage;
  /** Of a look as it is: which pixels are of the thing. */
  readonly inside?: Uint8Array;
}

/**
 * The best looks at each thing, as crops: for a model that is asked once what it is, or what is written on it, when all
 * views of it are in, and not once a frame. Bounded, and the same for the same frames.
 */
export class BestLooks {
  readonly #looks = new Map<string, Look[]>();
  readonly #isPlain: boolean;

  /** Greyed around the thing and small; or as it is, to be read. */
  constructor({ plain = false }: { readonly plain?: boolean } = {}) {
    this.#isPlain = plain;
  }

  add(percept: PerceivedFrame, { stateOf }: TrackedFrame): void {
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
      // Put last: those first in the map were seen longest ago.
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

  /** The sheet of a thing, its best look first; undefined where nothing of it was kept. */
  sheetOf(stateId: string): RgbImage | undefined {
    const looks = this.looksAt(stateId);
    return looks.length === 0 ? undefined : tiled(looks.map(({ picture }) => picture));
  }

  /** The looks at a thing, the best first. */
  looksAt(stateId: string): Pick<Look, "picture" | "inside">[] {
    return [...(this.#looks.get(stateId) ?? [])].sort((a, b) => b.worth - a.worth);
  }
}

/** The look that makes room for another one, null where there is room, undefined where the other is no better. */
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

/** Pictures side by side in rows of two, each in the middle of its tile. */
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
