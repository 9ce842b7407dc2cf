import {
  BufferGeometry,
  CircleGeometry,
  Color,
  DataTexture,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  PlaneGeometry,
  RingGeometry,
  Vector3,
} from "three";
import type { FrontierLine, RunMap, RunStep } from "../../../src/schema/exploration-run.ts";
import { mapAt } from "../data/runs.ts";
import type { ReplayedRun } from "../data/store.ts";
import type { Label } from "./labels.ts";

const COLOURS: Readonly<Record<FrontierLine["fate"], string>> = {
  chosen: "#e58a12",
  kept: "#1f6feb",
  claimed: "#8a63d2",
  discarded: "#8d9994",
};
/** Heights above the floor of the overlays, in their stacking order. */
const [MAP_M, MARK_M, WAY_M] = [0.02, 0.05, 0.08];
const FREE = [31, 111, 235, 46] as const;
const OCCUPIED = [27, 39, 35, 120] as const;

/** An exploration at one of its steps, on the map: the known floor, its frontiers, the robot's pose and path. */
export class ExplorationView {
  readonly object = new Group();
  labels: readonly Label[] = [];
  #map: { readonly of: RunMap; readonly mesh: Mesh } | null = null;
  readonly #marks = new Group();

  constructor() {
    this.object.add(this.#marks);
    this.object.visible = false;
  }

  /** Shows a step, or nothing. */
  set(run: ReplayedRun | null, step: RunStep | null): void {
    for (const mark of this.#marks.children) (mark as Mesh).geometry.dispose();
    this.#marks.clear();
    this.labels = [];
    this.object.visible = run !== null && step !== null;
    if (run === null || step === null) return;
    this.#floor(mapAt(run.maps, step));
    const before = run.steps.filter(({ agentId, n }) => agentId === step.agentId && n <= step.n);
    this.#marks.add(
      lineOf(
        before.map(({ pose }) => pose.position),
        "#e58a12",
        0.55,
      ),
    );
    for (const frontier of step.frontiers) this.#marks.add(frontierMark(frontier));
    const { goal } = step.decision;
    if (goal) this.#marks.add(lineOf([step.pose.position, goal.position], "#e58a12", 1));
    this.#marks.add(standMark(step.pose));
    this.labels = labelsOf(step);
  }

  #floor(map: RunMap | null): void {
    if (map === this.#map?.of) return;
    if (this.#map) {
      this.object.remove(this.#map.mesh);
      this.#map.mesh.geometry.dispose();
      (this.#map.mesh.material as MeshBasicMaterial).map?.dispose();
      (this.#map.mesh.material as MeshBasicMaterial).dispose();
      this.#map = null;
    }
    if (map === null || map.width === 0 || map.height === 0) return;
    const mesh = floorOf(map);
    this.#map = { of: map, mesh };
    this.object.add(mesh);
  }
}

/** The cells of a recorded floor as colours, row by row. */
export function cellsOf({ width, height, runs }: RunMap): Uint8Array<ArrayBuffer> {
  const cells = new Uint8Array(width * height * 4);
  let at = 0;
  for (const [, count, state] of runs.matchAll(/(\d+)([ufo])/g)) {
    const end = Math.min(at + Number(count), width * height);
    const colour = state === "f" ? FREE : state === "o" ? OCCUPIED : null;
    if (colour) for (let cell = at; cell < end; cell++) cells.set(colour, 4 * cell);
    at = end;
  }
  return cells;
}

function floorOf(map: RunMap): Mesh {
  const { width, height, cellM, originX, originY, floorZ } = map;
  const texture = new DataTexture(cellsOf(map), width, height);
  texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  const mesh = new Mesh(
    new PlaneGeometry(width * cellM, height * cellM),
    new MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false }),
  );
  mesh.position.set(originX + (width * cellM) / 2, originY + (height * cellM) / 2, floorZ + MAP_M);
  return mesh;
}

function frontierMark({ middle, lengthM, fate }: FrontierLine): Mesh {
  const radius = Math.min(Math.max(lengthM / 4, 0.12), 0.6);
  const isChosen = fate === "chosen";
  const mark = new Mesh(
    isChosen ? new CircleGeometry(radius, 28) : new RingGeometry(radius * 0.6, radius, 28),
    flat(COLOURS[fate], fate === "discarded" ? 0.5 : 0.9),
  );
  mark.position.set(middle.x, middle.y, middle.z + MARK_M);
  return mark;
}

/** An arrow head on the floor at the robot's position, along its heading. */
function standMark({ position, yawRad }: RunStep["pose"]): Mesh {
  const mark = new Mesh(new CircleGeometry(0.3, 3), flat("#1b2723", 1));
  mark.position.set(position.x, position.y, position.z + WAY_M);
  mark.rotation.z = yawRad;
  return mark;
}

function lineOf(
  points: readonly { x: number; y: number; z: number }[],
  colour: string,
  opacity: number,
): Line {
  const geometry = new BufferGeometry().setFromPoints(
    points.map(({ x, y, z }) => new Vector3(x, y, z + WAY_M)),
  );
  return new Line(geometry, new LineBasicMaterial({ color: colour, transparent: opacity < 1, opacity }));
}

function flat(colour: string, opacity: number): MeshBasicMaterial {
  return new MeshBasicMaterial({
    color: new Color(colour),
    transparent: opacity < 1,
    opacity,
    depthTest: false,
    depthWrite: false,
  });
}

function labelsOf(step: RunStep): Label[] {
  return step.frontiers
    .filter(({ fate }) => fate !== "discarded")
    .map(({ middle, fate, gainM2 }) => ({
      ...middle,
      text: fate === "chosen" ? "goes here" : `${gainM2.toFixed(1)} m² unknown`,
      rank: fate === "chosen" ? 95 : 50,
      style: "walker" as const,
      colour: COLOURS[fate],
    }));
}
