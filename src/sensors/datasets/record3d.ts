import { join } from "node:path";
import { z } from "zod";
import { LIMITS, LociError, parseOrThrow } from "../../schema/index.ts";
import { numberedFiles, parseJson, readText } from "../files.ts";
import type { ReadOptions } from "../options.ts";
import type { Pinhole } from "./develop.ts";
import type { Shot, ShotList } from "./shots.ts";
import { poseOfRow } from "./tables.ts";

const metadataSchema = z.object({
  w: z.number().positive(),
  h: z.number().positive(),
  fps: z.number().positive().max(1_000).optional(),
  /** In column order. */
  K: z.array(z.number()).length(9),
  /** x, y, z, w of the rotation, then the position; recordings of the front camera have none. */
  poses: z.array(z.array(z.number()).length(7)).default([]),
  perFrameIntrinsicCoeffs: z.array(z.array(z.number())).nullish(),
  frameTimestamps: z.array(z.number()).nullish(),
});
type Metadata = z.infer<typeof metadataSchema>;

/**
 * Record3D's "EXR + JPG sequence" from a phone with LiDAR: metadata.json with a camera-to-world pose per frame in
 * ARKit's axes, rgb/N.jpg and depth/N.exr in metres.
 */
export async function listRecord3d(folder: string, options: ReadOptions): Promise<ShotList> {
  const path = join(folder, "metadata.json");
  const about = parseOrThrow(
    metadataSchema,
    parseJson((await readText(path, LIMITS.blobBytes)) ?? "", path),
    path,
  );
  const [colours, depths] = [
    await numberedFiles(join(folder, "rgb")),
    await numberedFiles(join(folder, "depth")),
  ];
  const { fps = 30, frameTimestamps: stamps, poses } = about;
  const { startUs = 0, frameIntervalUs = Math.round(1e6 / fps) } = options;
  const firstS = stamps?.[0] ?? 0;
  const hasTimes = stamps != null && stamps.length > 0;
  const isPosed = poses.some((pose) => pose.some((value, k) => value !== poses[0]![k]));
  const numbers = [...colours.keys()].sort((a, b) => a - b);
  const shots = numbers.flatMap((n): Shot[] => {
    const stampS = stamps?.[n];
    if (hasTimes && stampS === undefined) return [];
    const [x, y, z, w, ...place] = poses[n] ?? [];
    return [
      {
        timeUs: startUs + (hasTimes ? Math.round((stampS! - firstS) * 1e6) : n * frameIntervalUs),
        colour: colours.get(n),
        depth: depths.get(n),
        pose: isPosed && poses[n] ? poseOfRow([...place, x, y, z, w].map(String)) : undefined,
        camera: options.intrinsics ?? cameraOf(about, n),
      },
    ];
  });
  return {
    path: folder,
    format: "record3d",
    shots,
    depthUnitM: 0.001,
    cameraAxes: "opengl",
    worldUp: "y",
    posesFrom: "metadata.json",
    ...(hasTimes
      ? { conventions: ["Times count from the start of the recording (--start says when that was)."] }
      : { counted: "frames" }),
  };
}

/** The app's own .r3d, unzipped: its depth uses a compression of Apple's. */
export function refuseR3d(folder: string): never {
  throw new LociError(
    "invalid-input",
    `${folder} is an unzipped .r3d, whose depth (LZFSE) is not read: export the video from Record3D as "EXR + JPG sequence"`,
  );
}

/** The lens moves while it focuses: a frame's own intrinsics take precedence. */
function cameraOf({ w: width, h: height, K, perFrameIntrinsicCoeffs }: Metadata, n: number): Pinhole {
  const [fx, fy, cx, cy] = perFrameIntrinsicCoeffs?.[n] ?? [];
  const own = [fx, fy, cx, cy].every((value) => value !== undefined) && fx! > 0 && fy! > 0;
  return own
    ? { fx: fx!, fy: fy!, cx: cx!, cy: cy!, width, height }
    : { fx: K[0]!, fy: K[4]!, cx: K[6]!, cy: K[7]!, width, height };
}
