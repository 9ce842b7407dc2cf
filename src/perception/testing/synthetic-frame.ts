import { type Box, type Intrinsics, type Transform, toMatrix, type Vec3 } from "../../geometry/index.ts";
import type { Frame, FramePlace, Percept } from "../../schema/core.ts";

/** A box of one colour; those with a name become detections. */
export interface SyntheticBox extends Box {
  readonly name?: string;
  readonly colour?: readonly [number, number, number];
}

export interface SyntheticView {
  readonly intrinsics: Intrinsics;
  readonly submapFromCamera: Transform;
}

/** A camera at a point, looking along +Y of the submap and level: its +X is right, its +Y down. */
export function levelCamera(
  p: Vec3,
  size: { width: number; height: number; focalPx: number },
): SyntheticView {
  const { width, height, focalPx } = size;
  return {
    intrinsics: { fx: focalPx, fy: focalPx, cx: width / 2, cy: height / 2, width, height },
    submapFromCamera: { p, q: { w: Math.SQRT1_2, x: -Math.SQRT1_2, y: 0, z: 0 } },
  };
}

/**
 * What a perfect camera and a perfect detector produce for a few boxes: for tests and benchmarks, which need ground
 * truth.
 */
export function syntheticFrame(view: SyntheticView, boxes: readonly SyntheticBox[]): Frame {
  const { width, height, fx, fy, cx, cy } = view.intrinsics;
  const depth = new Uint16Array(width * height);
  const masks = new Uint16Array(width * height);
  const rgb = new Uint8Array(width * height * 3);
  const m = toMatrix(view.submapFromCamera.q);
  for (let j = 0, at = 0; j < height; j++) {
    for (let i = 0; i < width; i++, at++) {
      const [x, y] = [(i + 0.5 - cx) / fx, (j + 0.5 - cy) / fy];
      // One metre along the optical axis, so the ray's parameter is the depth.
      const ray = {
        x: m[0] * x + m[1] * y + m[2],
        y: m[3] * x + m[4] * y + m[5],
        z: m[6] * x + m[7] * y + m[8],
      };
      let nearest = Infinity;
      boxes.forEach((box, n) => {
        const z = entry(box, view.submapFromCamera.p, ray);
        if (z >= nearest) return;
        nearest = z;
        masks[at] = box.name === undefined ? 0 : n + 1;
        rgb.set(box.colour ?? [120, 110, 100], 3 * at);
      });
      depth[at] = nearest < 65 ? Math.round(nearest * 1000) : 0;
    }
  }
  return {
    index: 0,
    timeUs: 1_000_000,
    agentId: "robot",
    mapFrame: "world",
    sensorId: "camera",
    intrinsics: view.intrinsics,
    rgb: { width, height, data: rgb },
    depth: { width, height, data: depth, unitM: 0.001 },
    masks: { width, height, data: masks },
    detections: boxes.flatMap(({ name }, n) => {
      const bbox = name === undefined ? undefined : boundsOf(masks, width, n + 1);
      return bbox ? [{ mask: n + 1, bbox, score: 0.9, label: name }] : [];
    }),
  };
}

/** The place of such a frame: in a submap at the world's origin. */
export function placeOf(
  view: SyntheticView,
  observationId = "observation-1",
): FramePlace & Pick<Percept, "observationId"> {
  const worldFromSubmap = { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } };
  return { submap: "submap-1", submapFromCamera: view.submapFromCamera, worldFromSubmap, observationId };
}

/** Parameter at which a ray enters a box, or Infinity (Kay and Kajiya 1986). */
function entry({ min, max }: Box, origin: Vec3, ray: Vec3): number {
  let [enter, leave] = [1e-6, Infinity];
  for (const axis of ["x", "y", "z"] as const) {
    const a = (min[axis] - origin[axis]) / ray[axis];
    const b = (max[axis] - origin[axis]) / ray[axis];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter < leave ? enter : Infinity;
}

function boundsOf(
  masks: Uint16Array,
  width: number,
  number: number,
): readonly [number, number, number, number] | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  masks.forEach((value, at) => {
    if (value !== number) return;
    const column = at % width;
    const row = (at - column) / width;
    [left, right] = [Math.min(left, column), Math.max(right, column + 1)];
    [top, bottom] = [Math.min(top, row), Math.max(bottom, row + 1)];
  });
  return right < 0 ? undefined : [left, top, right, bottom];
}
