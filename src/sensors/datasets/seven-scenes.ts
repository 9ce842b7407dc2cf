import { join } from "node:path";
import { LociError } from "../../schema/index.ts";
import { readText } from "../files.ts";
import { COLOUR_FILE, INTRINSICS_FILE, parsePose } from "../folder/layout.ts";
import type { ReadOptions } from "../options.ts";
import { usable } from "../pose-track.ts";
import type { Shot, ShotList } from "./shots.ts";
import { pinholeOf } from "./tables.ts";

/** 7-Scenes' marker for missing depth. */
const NO_DEPTH = 65_535;

/** 7-Scenes and TSDF folders: frame-N.color, .depth.png in millimetres, .pose.txt, one camera-intrinsics.txt. */
export async function listSevenScenes(
  folder: string,
  names: readonly string[],
  options: ReadOptions,
): Promise<ShotList> {
  const all = new Set(names);
  const found = names
    .flatMap((name) => {
      const match = COLOUR_FILE.exec(name);
      return match ? [{ name, stem: name.slice(0, name.indexOf(".")), number: Number(match[1]) }] : [];
    })
    .sort((a, b) => a.number - b.number);
  // Several sequences of one camera share the calibration in the parent folder.
  const matrix =
    (await readText(join(folder, INTRINSICS_FILE))) ?? (await readText(join(folder, "..", INTRINSICS_FILE)));
  if (matrix === undefined && !options.intrinsics)
    throw new LociError(
      "invalid-input",
      `expected ${INTRINSICS_FILE} in ${folder}, or its numbers (--intrinsics fx,fy,cx,cy)`,
    );
  const camera = options.intrinsics ?? pinholeOf(matrix!);
  if (!camera)
    throw new LociError(
      "invalid-input",
      "expected three rows of three numbers with positive focal lengths in the intrinsics",
    );
  const { startUs = 0, frameIntervalUs = 33_333 } = options;
  const first = found[0]?.number ?? 0;
  const shots: Shot[] = [];
  for (const { name, stem, number } of found) {
    const text = await readText(join(folder, `${stem}.pose.txt`));
    const pose = text === undefined ? undefined : parsePose(text);
    shots.push({
      timeUs: startUs + (number - first) * frameIntervalUs,
      colour: join(folder, name),
      depth: all.has(`${stem}.depth.png`) ? join(folder, `${stem}.depth.png`) : undefined,
      pose: pose && usable(pose),
    });
  }
  return {
    path: folder,
    format: "folder",
    shots,
    camera,
    depthUnitM: 0.001,
    noDepth: NO_DEPTH,
    cameraAxes: "optical",
    worldUp: "detect",
    posesFrom: "frame-N.pose.txt",
    counted: "frame numbers",
  };
}
