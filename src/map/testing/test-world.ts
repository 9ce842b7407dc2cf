import {
  type Box,
  boxFromCentre,
  fromMatrix,
  IDENTITY,
  type Intrinsics,
  rayBox,
  type Transform,
  toMatrix,
  type Vec3,
} from "../../geometry/index.ts";
import type { Percept } from "../../schema/core.ts";

/** A world of boxes for tests: rendered to depth by brute force, small enough for that to be quick. */
export const TEST_CAMERA: Intrinsics = { fx: 40, fy: 40, cx: 40, cy: 30, width: 80, height: 60 };

const WALL_M = 0.1;
const HEIGHT_M = 2.6;

/** From corner to corner. */
export function slab(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): Box {
  return { min: { x: x0, y: y0, z: z0 }, max: { x: x1, y: y1, z: z1 } };
}

/** Two rooms of 4 × 4 m, side by side along x, with a door of 0.9 m between them at y = 1.5 to 2.4. */
export function twoRooms(options: { lintel?: boolean; ceilingM?: number } = {}): Box[] {
  const { lintel = true, ceilingM = HEIGHT_M } = options;
  const boxes = [
    slab(-1, -1, -0.2, 9.1, 5, 0),
    slab(-1, -1, ceilingM, 9.1, 5, ceilingM + 0.2),
    slab(-WALL_M, -WALL_M, 0, 8.1 + WALL_M, 0, ceilingM),
    slab(-WALL_M, 4, 0, 8.1 + WALL_M, 4 + WALL_M, ceilingM),
    slab(-WALL_M, -WALL_M, 0, 0, 4 + WALL_M, ceilingM),
    slab(8.1, -WALL_M, 0, 8.1 + WALL_M, 4 + WALL_M, ceilingM),
    slab(4, 0, 0, 4.1, 1.5, ceilingM),
    slab(4, 2.4, 0, 4.1, 4, ceilingM),
  ];
  if (lintel) boxes.push(slab(4, 1.5, 2.05, 4.1, 2.4, ceilingM));
  return boxes;
}

/** Furniture by its middle on the floor and its size. */
export function furniture(x: number, y: number, size: Vec3): Box {
  return boxFromCentre({ x, y, z: size.z / 2 }, size);
}

/** A camera that looks along `yawRad`, down by `downRad`. */
export function cameraAt(x: number, y: number, yawRad: number, downRad = 0.3, z = 1.2): Transform {
  const [c, s] = [Math.cos(yawRad), Math.sin(yawRad)];
  const [cp, sp] = [Math.cos(downRad), -Math.sin(downRad)];
  const forward = [c * cp, s * cp, sp] as const;
  const right = [s, -c, 0] as const;
  const down = [
    forward[1] * right[2] - forward[2] * right[1],
    forward[2] * right[0] - forward[0] * right[2],
    forward[0] * right[1] - forward[1] * right[0],
  ] as const;
  return {
    p: { x, y, z },
    q: fromMatrix([
      right[0],
      down[0],
      forward[0],
      right[1],
      down[1],
      forward[1],
      right[2],
      down[2],
      forward[2],
    ]),
  };
}

export function renderDepth(boxes: readonly Box[], worldFromCamera: Transform): Uint16Array {
  const { fx, fy, cx, cy, width, height } = TEST_CAMERA;
  const m = toMatrix(worldFromCamera.q);
  const data = new Uint16Array(width * height);
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      const [a, b] = [(u + 0.5 - cx) / fx, (v + 0.5 - cy) / fy];
      const direction = {
        x: m[0] * a + m[1] * b + m[2],
        y: m[3] * a + m[4] * b + m[5],
        z: m[6] * a + m[7] * b + m[8],
      };
      let nearest = Infinity;
      for (const box of boxes) {
        const hit = rayBox({ origin: worldFromCamera.p, direction }, box);
        if (hit !== undefined && hit.near < nearest) nearest = hit.near;
      }
      data[v * width + u] = nearest < 60 ? Math.round(nearest * 1_000) : 0;
    }
  }
  return data;
}

/** The percept of one view; the submap is the world unless `worldFromSubmap` says otherwise. */
export function lookAt(
  boxes: readonly Box[],
  submapFromCamera: Transform,
  index: number,
  more: Partial<Percept> = {},
): Percept {
  const { width, height } = TEST_CAMERA;
  return {
    observationId: `look-${index}`,
    index,
    timeUs: 1_000_000_000 + index * 500_000,
    agentId: "robot",
    sensorId: "camera",
    sceneId: "default",
    labels: [],
    submap: "sub-0",
    worldFromSubmap: IDENTITY,
    submapFromCamera,
    intrinsics: TEST_CAMERA,
    depth: { width, height, data: renderDepth(boxes, submapFromCamera), unitM: 0.001 },
    rgb: { width, height, data: new Uint8Array(width * height * 3).fill(200) },
    quality: { black: 0, blur: 100, validDepth: 1 },
    restricted: false,
    detections: [],
    ...more,
  };
}

/** A walk through both rooms, turning round at each stop. */
export function tour(boxes: readonly Box[], more: Partial<Percept> = {}): Percept[] {
  const stops: [number, number][] = [
    [1, 1],
    [2, 2],
    [3, 3],
    [3.2, 1.95],
    [4.05, 1.95],
    [5, 1.95],
    [6, 2.5],
    [7, 1],
  ];
  const percepts: Percept[] = [];
  for (const [x, y] of stops)
    for (let i = 0; i < 6; i++)
      percepts.push(
        lookAt(boxes, cameraAt(x, y, (i * Math.PI) / 3, i % 2 === 0 ? 0.35 : -0.1), percepts.length, more),
      );
  return percepts;
}
