import { join } from "node:path";
import { kittiImages, listKitti } from "./datasets/kitti.ts";
import { listOpen3d, open3dFiles } from "./datasets/open3d.ts";
import { listPictures } from "./datasets/pictures.ts";
import { listPolycam } from "./datasets/polycam.ts";
import { listRecord3d, refuseR3d } from "./datasets/record3d.ts";
import { listReplica } from "./datasets/replica.ts";
import { listScannet } from "./datasets/scannet.ts";
import { listSevenScenes } from "./datasets/seven-scenes.ts";
import type { ShotList } from "./datasets/shots.ts";
import { listStray } from "./datasets/stray.ts";
import { listTransforms } from "./datasets/transforms.ts";
import { listTum } from "./datasets/tum.ts";
import { COLOUR_FILE } from "./folder/layout.ts";
import type { ReadOptions } from "./options.ts";

/** Which dataset lies in a folder, from the names in it; plain pictures are the last guess. */
export async function listFolder(
  folder: string,
  names: readonly string[],
  options: ReadOptions,
): Promise<ShotList> {
  const has = (name: string) => names.includes(name);
  if (has("transforms.json")) return listTransforms(join(folder, "transforms.json"), options);
  if (has("odometry.csv") && has("camera_matrix.csv")) return listStray(folder, names, options);
  if (has("keyframes")) return listPolycam(join(folder, "keyframes"), options);
  if (has("cameras") && has("images") && has("depth")) return listPolycam(folder, options);
  if (has("EXR_RGBD")) return listRecord3d(join(folder, "EXR_RGBD"), options);
  if (has("metadata.json") && has("rgb") && has("depth")) return listRecord3d(folder, options);
  if (has("metadata") && has("rgbd")) refuseR3d(folder);
  if (has("rgb.txt")) return listTum(folder, options);
  if (has("color") && (has("pose") || has("intrinsic"))) return listScannet(folder, options);
  if (has("traj.txt") && has("results")) return listReplica(folder, options);
  const open3d = await open3dFiles(folder, names);
  if (open3d) return listOpen3d(folder, open3d, options);
  const images = kittiImages(names);
  if (images) return listKitti(folder, images, options);
  if (names.some((name) => COLOUR_FILE.test(name))) return listSevenScenes(folder, names, options);
  return listPictures(folder, names, options);
}
