import { join } from "node:path";
import { parseJson, readText } from "../../files.ts";
import type { Pinhole } from "../develop.ts";
import { numbersOf, pinholeOf } from "../tables.ts";

/** What a folder says about its cameras. */
export interface Calibration {
  readonly camera?: Pinhole | undefined;
  readonly depthCamera?: Pinhole | undefined;
  readonly from?: string | undefined;
}

const COLOUR =
  /^(k|(color|colour|rgb)?_?-?(camera)?_?-?(intrinsics?|calibration|calib|intrinsic_color|params)|cam(era)?(_params)?|state)\.(txt|csv|json|ya?ml)$/i;
const DEPTH = /^(intrinsics?_depth|depth_intrinsics?|k_depth)\.(txt|csv|json)$/i;
const NAMED = /intrinsics?_(color|colour|rgb)\.(txt|csv|json)$/i;
const DISTORTION = /^dist(ortion)?(_coeffs)?\.txt$/i;

/** The intrinsics of a folder's cameras, from text files with telling names, there or in the parent folder. */
export async function calibrationIn(folder: string, names: readonly string[]): Promise<Calibration> {
  const first = async (called: RegExp): Promise<{ camera: Pinhole; name: string } | undefined> => {
    for (const name of names.filter((each) => called.test(each)).sort()) {
      const camera = cameraOf((await readText(join(folder, name))) ?? "", name);
      if (camera) return { camera, name };
    }
    return undefined;
  };
  const found = (await first(NAMED)) ?? (await first(COLOUR));
  const distortion = names.find((name) => DISTORTION.test(name));
  const lens = lensOf(distortion ? await readText(join(folder, distortion)) : undefined);
  return {
    camera: found && { ...found.camera, ...(lens && { distortion: lens }) },
    depthCamera: (await first(DEPTH))?.camera,
    from: found?.name,
  };
}

/** A lens with stronger distortion is a fisheye, which this model does not describe. */
const MOST_BENT = 1;

/** k1, k2, p1, p2, k3; some recorders write their number first. */
function lensOf(text: string | undefined): readonly number[] | undefined {
  const all = numbersOf(text ?? "");
  const lens = all[0] === all.length - 1 ? all.slice(1) : all;
  const isLens = (lens.length === 4 || lens.length === 5) && lens.every(Number.isFinite);
  return isLens && Math.abs(lens[0]!) <= MOST_BENT ? lens : undefined;
}

/** A matrix, four numbers, JSON, or a phone recorder's line: count, width, height, cx, cy, fx, fy. */
function cameraOf(text: string, name: string): Pinhole | undefined {
  if (/\.json$/i.test(name)) return cameraIn(parseJson(text, name));
  const numbers = numbersOf(text);
  if (numbers.length === 7 && numbers.every(Number.isFinite)) {
    const [, width, height, cx, cy, fx, fy] = numbers as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    if (width > 1 && height > 1 && cx < width && cy < height && fx > 1 && fy > 1)
      return { fx, fy, cx, cy, width, height };
  }
  return pinholeOf(text);
}

/** fx, fy, cx, cy under their common names, or a matrix, at the top level or one below. */
function cameraIn(json: unknown, depth = 0): Pinhole | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const said = json as Record<string, unknown>;
  const number = (...keys: string[]) =>
    keys.map((key) => said[key]).find((v): v is number => typeof v === "number");
  const [fx, fy] = [number("fx", "fl_x", "focal_x", "f"), number("fy", "fl_y", "focal_y", "f")];
  const [cx, cy] = [number("cx", "ppx", "c_x"), number("cy", "ppy", "c_y")];
  const [width, height] = [number("width", "w"), number("height", "h")];
  const size = width && height ? { width, height } : {};
  if (fx && fy && cx !== undefined && cy !== undefined) return { fx, fy, cx, cy, ...size };
  for (const key of [
    "K",
    "intrinsic_matrix",
    "camera_matrix",
    "intrinsic",
    "intrinsics",
    "matrix",
    "color",
    "rgb",
  ]) {
    const inner = said[key];
    if (Array.isArray(inner)) {
      const found = pinholeOf(inner.flat(2).join(" "));
      if (found) return { ...found, ...size };
    } else if (depth < 2) {
      const found = cameraIn(inner, depth + 1);
      if (found) return { ...size, ...found };
    }
  }
  return undefined;
}
