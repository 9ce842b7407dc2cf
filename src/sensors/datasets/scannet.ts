import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { compose } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import { readText } from "../files.ts";
import type { ReadOptions } from "../options.ts";
import type { ShotList } from "./shots.ts";
import { numbersOf, pinholeOf, poseOfNumbers } from "./tables.ts";

/** The output of ScanNet's .sens exporter: color/N.jpg, depth/N.png, pose/N.txt, intrinsic/. */
export async function listScannet(folder: string, options: ReadOptions): Promise<ShotList> {
  const colours = (await readdir(join(folder, "color")))
    .flatMap((name) => {
      const match = /^(\d{1,9})\.(jpg|jpeg|png)$/.exec(name);
      return match ? [{ number: Number(match[1]), stem: match[1]!, name }] : [];
    })
    .sort((a, b) => a.number - b.number);
  const depths = new Set(await readdir(join(folder, "depth")).catch(() => []));
  const matrix = async (name: string) => pinholeOf((await readText(join(folder, "intrinsic", name))) ?? "");
  const camera = options.intrinsics ?? (await matrix("intrinsic_color.txt"));
  if (!camera)
    throw new LociError(
      "invalid-input",
      `expected intrinsic/intrinsic_color.txt in ${folder}: give them (--intrinsics fx,fy,cx,cy)`,
    );
  const aligned = await alignmentOf(folder);
  const { startUs = 0, frameIntervalUs = 33_333 } = options;
  const first = colours[0]?.number ?? 0;
  const shots = [];
  for (const { number, stem, name } of colours) {
    const text = await readText(join(folder, "pose", `${stem}.txt`));
    const pose = text === undefined ? undefined : poseOfNumbers(numbersOf(text));
    shots.push({
      timeUs: startUs + (number - first) * frameIntervalUs,
      colour: join(folder, "color", name),
      depth: depths.has(`${stem}.png`) ? join(folder, "depth", `${stem}.png`) : undefined,
      pose: pose && aligned ? compose(aligned, pose) : pose,
    });
  }
  return {
    path: folder,
    format: "scannet",
    shots,
    camera,
    depthCamera: await matrix("intrinsic_depth.txt"),
    depthUnitM: 0.001,
    noDepth: 65_535,
    cameraAxes: "optical",
    worldUp: "z",
    posesFrom: "pose/",
    counted: "frames",
    conventions: [...(aligned ? ["The scene is turned by its axisAlignment."] : [])],
  };
}

/** The rotation that aligns the walls with the axes, from the scene's own text file. */
async function alignmentOf(folder: string) {
  const name = basename(resolve(folder));
  for (const path of [join(folder, `${name}.txt`), join(folder, "..", `${name}.txt`)]) {
    const line = /axisAlignment\s*=\s*([^\n]+)/.exec((await readText(path)) ?? "")?.[1];
    const found = line && poseOfNumbers(numbersOf(line));
    if (found) return found;
  }
  return undefined;
}
