import { Random } from "../../../geometry/index.ts";
import { type Eyes, type Look, TOP } from "../../../models/eyes/index.ts";
import type { Frame } from "../../../schema/core.ts";

/** The truth of a frame's masks with errors like a network's, to test what uses it. */
export interface TruthEyesOptions {
  /** Share of a frame's things that are mislabelled in that frame. */
  readonly wrongNames?: number;
  /** Grid steps over which outlines are smeared. */
  readonly smearPx?: number;
  readonly seed?: string;
}

const LARGE = new Set([
  "bed",
  "single bed",
  "sofa",
  "armchair",
  "chair",
  "office chair",
  "stool",
  "bench",
  "desk",
  "table",
  "dining table",
  "coffee table",
  "side table",
  "console table",
  "wardrobe",
  "dresser",
  "nightstand",
  "bookcase",
  "shelf rack",
  "wall shelf",
  "kitchen counter",
  "wall cupboard",
  "sideboard",
  "tv stand",
  "fridge",
  "stove",
  "washing machine",
  "dishwasher",
  "door",
  "front door",
  "window",
  "curtain",
  "bathtub",
  "shower",
  "toilet",
  "washbasin",
  "radiator",
  "person",
  "workbench",
  "kitchen island",
  "fireplace",
]);

/** A fake network that knows the masks of these frames, which must be requested in this order. */
export function truthEyes(frames: readonly Frame[], options: TruthEyesOptions = {}): Eyes {
  const { wrongNames = 0.25, smearPx = 1, seed = "eyes" } = options;
  const random = new Random(seed);
  const categories = [
    "other",
    ...new Set(
      frames.flatMap(({ detections = [] }) => detections.flatMap(({ label }) => (label ? [label] : []))),
    ),
  ].sort();
  let next = 0;
  return {
    id: "truth",
    categories,
    look: async () => lookAt(frames[next++]!, categories, random, wrongNames, smearPx),
    close: async () => {},
  };
}

function lookAt(
  { masks, detections = [], intrinsics }: Frame,
  categories: readonly string[],
  random: Random,
  wrongNames: number,
  smearPx: number,
): Look {
  const width = intrinsics.width >> 1;
  const height = intrinsics.height >> 1;
  const cells = width * height;
  const look = {
    width,
    height,
    scale: width / intrinsics.width,
    surface: new Float32Array(3 * cells),
    boundary: new Float32Array(cells),
    centre: new Float32Array(cells),
    offset: new Float32Array(2 * cells),
    category: { names: new Uint8Array(TOP * cells), odds: new Float32Array(TOP * cells) },
  };
  const say = (cell: number, name: number, p: number) => {
    look.category.names[TOP * cell] = name;
    look.category.odds[TOP * cell] = p;
  };
  const things = new Map(
    detections.map((one) => {
      const isWrong = random.next() < wrongNames;
      const label = isWrong
        ? categories[Math.floor(random.next() * categories.length)]!
        : (one.label ?? "other");
      const sure = 0.4 + 0.5 * random.next();
      return [
        one.mask ?? 0,
        { ...one, name: categories.indexOf(label), isLarge: LARGE.has(one.label ?? ""), sure },
      ];
    }),
  );
  const at = (i: number, j: number): number => {
    const x = Math.max(0, Math.min(width - 1, i));
    const y = Math.max(0, Math.min(height - 1, j));
    const u = Math.floor(((x + 0.5) * intrinsics.width) / width);
    const v = Math.floor(((y + 0.5) * intrinsics.height) / height);
    return masks?.data[v * intrinsics.width + u] ?? 0;
  };
  for (let j = 0, cell = 0; j < height; j++) {
    for (let i = 0; i < width; i++, cell++) {
      const [di, dj] = [0, 1].map(() => Math.round((random.next() - 0.5) * 2 * smearPx));
      const number = at(i + di!, j + dj!);
      const thing = things.get(number);
      const kind = thing ? (thing.isLarge ? 1 : 2) : 0;
      for (let k = 0; k < 3; k++) look.surface[k * cells + cell] = k === kind ? 0.8 : 0.1;
      const isEdge = [at(i + 1, j), at(i - 1, j), at(i, j + 1), at(i, j - 1)].some(
        (other) => other !== at(i, j),
      );
      look.boundary[cell] = isEdge ? 0.7 : 0.1;
      if (!thing) {
        say(cell, categories.indexOf("other"), 0.9);
        continue;
      }
      say(cell, thing.name, thing.sure);
      const [l, t, r, b] = thing.bbox;
      look.offset[cell] = (((l + r) / 2) * width) / intrinsics.width - i + 4 * (random.next() - 0.5);
      look.offset[cells + cell] =
        (((t + b) / 2) * height) / intrinsics.height - j + 4 * (random.next() - 0.5);
    }
  }
  return look;
}
