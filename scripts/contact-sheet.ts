import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { isMainThread } from "node:worker_threads";
import type { Vec3 } from "../src/geometry/index.ts";
import { encodePng, type RgbImage } from "../src/sensors/index.ts";
import { isObject } from "../src/world/agents/index.ts";
import { makeTimeline, type Timeline } from "../src/world/dynamics/index.ts";
import { generateHouse, type Room } from "../src/world/house/index.ts";
import { Navigation } from "../src/world/navigation/index.ts";
import {
  type CameraSpec,
  type CompiledScene,
  compileScene,
  DEFAULT_CAMERA,
  intrinsicsOf,
  Renderer,
  Visibility,
  worldFromCameraOf,
} from "../src/world/sensors/index.ts";

const HEADINGS = 16;
const GAP_PX = 4;

/** A view of a room, and how much of its furniture it shows. */
export interface RoomView {
  readonly room: Room;
  readonly standInWorld: Vec3;
  readonly yawRad: number;
  readonly score: number;
}

/** The view of each room in which most of its things are seen well, found with the visibility mode. */
export function bestViews(
  timeline: Timeline,
  scene: CompiledScene,
  camera: CameraSpec,
  timeUs: number,
): RoomView[] {
  const navigation = new Navigation(timeline);
  const visibility = new Visibility(scene);
  const small = intrinsicsOf({ ...camera, width: 80, height: 60 });
  return timeline.house.rooms.flatMap((room) => {
    let best: RoomView | undefined;
    for (const standInWorld of standsIn(room, navigation, timeUs)) {
      for (let n = 0; n < HEADINGS; n++) {
        const yawRad = (n * 2 * Math.PI) / HEADINGS;
        let score = 0;
        for (const { thing, pixels, fraction } of visibility.look(
          small,
          worldFromCameraOf(camera, standInWorld, yawRad),
        )) {
          const { id } = timeline.house.things[thing - 1]!;
          const isHere = isObject(timeline.thing(id)) && timeline.placementAt(id, timeUs)?.room === room.id;
          if (isHere) score += Math.min(1, pixels / 60) * fraction * Math.min(1, 900 / pixels);
        }
        if (!best || score > best.score) best = { room, standInWorld, yawRad, score };
      }
    }
    return best ? [best] : [];
  });
}

/** Pictures side by side, for people to look at. */
export function tile(pictures: readonly RgbImage[], columns: number): RgbImage {
  const { width, height } = pictures[0]!;
  const rows = Math.ceil(pictures.length / columns);
  const sheetWidth = columns * (width + GAP_PX) - GAP_PX;
  const sheetHeight = rows * (height + GAP_PX) - GAP_PX;
  const data = new Uint8Array(sheetWidth * sheetHeight * 3).fill(255);
  pictures.forEach((picture, n) => {
    const left = (n % columns) * (width + GAP_PX);
    const top = Math.floor(n / columns) * (height + GAP_PX);
    for (let j = 0; j < height; j++) {
      data.set(
        picture.data.subarray(j * width * 3, (j + 1) * width * 3),
        ((top + j) * sheetWidth + left) * 3,
      );
    }
  });
  return { width: sheetWidth, height: sheetHeight, data };
}

/** One picture of each room of a house, at most `count`. */
export function contactSheet(options: {
  seed: number | string;
  count: number;
  camera: CameraSpec;
  columns: number;
}) {
  const house = generateHouse(options.seed);
  const timeline = makeTimeline(house, {
    seed: options.seed,
    startUs: 0,
    durationUs: 1e6,
    rate: 0,
    people: 0,
  });
  const scene = compileScene(timeline.solidsAt(0), timeline.lightsAt(0));
  const views = bestViews(timeline, scene, options.camera, 0).slice(0, options.count);
  const renderer = new Renderer(scene);
  const pictures = views.map(({ standInWorld, yawRad }) => {
    const { width, height, rgb } = renderer.render(
      intrinsicsOf(options.camera),
      worldFromCameraOf(options.camera, standInWorld, yawRad),
    );
    return { width, height, data: rgb };
  });
  return { views, sheet: tile(pictures, options.columns) };
}

function standsIn(room: Room, navigation: Navigation, timeUs: number): Vec3[] {
  const { points } = room.polygon;
  const [a, c] = [points[0]!, points[2]!];
  const stands: Vec3[] = [];
  for (const u of [0.08, 0.5, 0.92]) {
    for (const v of [0.08, 0.5, 0.92]) {
      const stand = navigation.standNear(
        { x: a.x + (c.x - a.x) * u, y: a.y + (c.y - a.y) * v, z: room.floorZM },
        timeUs,
      );
      if (stand && stand.x > a.x && stand.x < c.x && stand.y > a.y && stand.y < c.y) stands.push(stand);
    }
  }
  return stands;
}

/** `node scripts/contact-sheet.ts --seed 7 --count 8 --out sheet.png` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      count: { type: "string", default: "9" },
      columns: { type: "string", default: "3" },
      size: { type: "string", default: "320x240" },
      out: { type: "string", default: "sheet.png" },
    },
  });
  const [width, height] = values.size.split("x").map(Number) as [number, number];
  const camera = { ...DEFAULT_CAMERA, width, height, horizontalFovRad: 1.5, tiltRad: -0.28 };
  const { views, sheet } = contactSheet({
    seed: values.seed,
    count: Number(values.count),
    columns: Number(values.columns),
    camera,
  });
  await writeFile(values.out, await encodePng({ ...sheet, channels: 3 }));
  console.log(views.map(({ room }) => room.id).join(", "));
}

if (isMainThread && process.argv[1] && import.meta.url.endsWith(process.argv[1].split("/").at(-1)!))
  await main();
