import {
  compose,
  invert,
  multiply,
  normalizeQuat,
  type Random,
  type Transform,
} from "../../geometry/index.ts";
import type { TimedEdge } from "../../sensors/index.ts";
import { quatFromYaw } from "../sensors/index.ts";
import { strength } from "./levels.ts";

/** Per metre, and per radian turned: 1 % of the way and half a degree. */
const TRANSLATION_PER_M = 0.01;
const YAW_PER_M = (0.5 * Math.PI) / 180;
const YAW_PER_RAD = 0.004;
/** A new submap starts after this distance, and no loop closure comes before the second. */
const SUBMAP_M = 4;
const CLOSURE_AFTER_M = 10;
const CLOSURE_WITHIN_M = 1;
/** Share of the error that a closure removes. */
const CORRECTED = 0.9;

/** An agent's belief about its pose at one moment. */
export interface Belief {
  readonly odomFromBody: Transform;
  /** In the agent's map, as believed now. */
  readonly mapFromBody: Transform;
  readonly submap: { readonly frame: string; readonly submapFromBody: Transform };
  /** New submaps and corrections of old ones that arrived with this pose. */
  readonly edges: readonly TimedEdge["edge"][];
}

interface Submap {
  readonly frame: string;
  readonly trueMapFromSubmap: Transform;
  readonly odomFromSubmap: Transform;
  mapFromSubmap: Transform;
  revision: number;
}

/**
 * Odometry that drifts, and a SLAM that closes loops. The map is a chain of submaps; returning to an old one after a
 * while moves all of them most of the way to their true poses, as new revisions of their frame edges
 * (docs/formulas.md#frames). Poses must come in order of time. `trueMapFromBody` is exact, in the agent's own map
 * frame.
 */
export class DriftingPose {
  readonly #random: Random;
  readonly #strength: number;
  readonly #mapFrame: string;
  readonly #agentId: string;
  readonly #submaps: Submap[] = [];
  #odomFromBody: Transform | undefined;
  #lastTrue: Transform | undefined;
  #sinceSubmapM = 0;
  #sinceClosureM = 0;

  constructor(random: Random, level: number, names: { readonly agentId: string; readonly mapFrame: string }) {
    this.#random = random;
    this.#strength = strength(level);
    this.#agentId = names.agentId;
    this.#mapFrame = names.mapFrame;
  }

  advance(trueMapFromBody: Transform): Belief {
    const edges: TimedEdge["edge"][] = [];
    if (!this.#odomFromBody || !this.#lastTrue) {
      this.#odomFromBody = trueMapFromBody;
      edges.push(this.#begin(trueMapFromBody, trueMapFromBody));
    } else {
      const step = this.#disturbed(compose(invert(this.#lastTrue), trueMapFromBody));
      this.#odomFromBody = rounded(compose(this.#odomFromBody, step));
      if (this.#sinceSubmapM >= SUBMAP_M) edges.push(this.#begin(trueMapFromBody, this.#believed()));
      if (this.#sinceClosureM >= CLOSURE_AFTER_M && this.#isBack(trueMapFromBody))
        edges.push(...this.#close());
    }
    this.#lastTrue = trueMapFromBody;
    const submap = this.#submaps.at(-1)!;
    const submapFromBody = compose(invert(submap.odomFromSubmap), this.#odomFromBody);
    return {
      odomFromBody: this.#odomFromBody,
      mapFromBody: rounded(compose(submap.mapFromSubmap, submapFromBody)),
      submap: { frame: submap.frame, submapFromBody },
      edges,
    };
  }

  #believed(): Transform {
    const submap = this.#submaps.at(-1)!;
    return rounded(
      compose(submap.mapFromSubmap, compose(invert(submap.odomFromSubmap), this.#odomFromBody!)),
    );
  }

  #begin(trueMapFromSubmap: Transform, mapFromSubmap: Transform): TimedEdge["edge"] {
    const frame = `${this.#agentId}.submap-${this.#submaps.length}`;
    const submap = {
      frame,
      trueMapFromSubmap,
      mapFromSubmap,
      odomFromSubmap: this.#odomFromBody!,
      revision: 0,
    };
    this.#submaps.push(submap);
    this.#sinceSubmapM = 0;
    return this.#edge(submap, "submap");
  }

  #isBack({ p }: Transform): boolean {
    return this.#submaps.slice(0, -2).some(({ trueMapFromSubmap: { p: old } }) => {
      const x = p.x - old.x;
      const y = p.y - old.y;
      return x * x + y * y < CLOSURE_WITHIN_M * CLOSURE_WITHIN_M && Math.abs(p.z - old.z) < 1;
    });
  }

  #close(): TimedEdge["edge"][] {
    this.#sinceClosureM = 0;
    return this.#submaps.slice(1).map((submap) => {
      submap.mapFromSubmap = towards(submap.mapFromSubmap, submap.trueMapFromSubmap, CORRECTED);
      submap.revision++;
      return this.#edge(submap, "loop");
    });
  }

  #edge({ frame, mapFromSubmap, revision }: Submap, kind: "submap" | "loop"): TimedEdge["edge"] {
    return { parent: this.#mapFrame, child: frame, stampUs: null, transform: mapFromSubmap, kind, revision };
  }

  #disturbed(step: Transform): Transform {
    const { p, q } = step;
    const wayM = Math.sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    const turnRad = 2 * Math.abs(q.z);
    this.#sinceSubmapM += wayM;
    this.#sinceClosureM += wayM;
    const s = this.#strength;
    const root = Math.sqrt(wayM);
    const yaw =
      this.#random.normal(0, YAW_PER_M * s) * root + this.#random.normal(0, YAW_PER_RAD * s) * turnRad;
    const scale = 1 + this.#random.normal(0, TRANSLATION_PER_M * s);
    const side = this.#random.normal(0, TRANSLATION_PER_M * s) * wayM;
    return {
      p: { x: p.x * scale, y: p.y * scale + side, z: p.z },
      q: multiply(q, quatFromYaw(yaw)),
    };
  }
}

/** A share of the way from one pose to another, by straight interpolation: the poses are close. */
function towards(from: Transform, to: Transform, share: number): Transform {
  const sign = from.q.w * to.q.w + from.q.x * to.q.x + from.q.y * to.q.y + from.q.z * to.q.z < 0 ? -1 : 1;
  const mix = (a: number, b: number) => a + (b - a) * share;
  return {
    p: { x: mix(from.p.x, to.p.x), y: mix(from.p.y, to.p.y), z: mix(from.p.z, to.p.z) },
    q: normalizeQuat({
      w: mix(from.q.w, sign * to.q.w),
      x: mix(from.q.x, sign * to.q.x),
      y: mix(from.q.y, sign * to.q.y),
      z: mix(from.q.z, sign * to.q.z),
    }),
  };
}

/** Long chains of products drift off the unit sphere. */
function rounded({ p, q }: Transform): Transform {
  return { p, q: normalizeQuat(q) };
}

/** The pose of an agent's own map: any rotation and up to ten metres at level 0.5. */
export function mapOffset(random: Random, level: number): Transform {
  const s = strength(level);
  const yaw = random.range(-1, 1) * Math.PI * Math.min(1, s);
  return { p: { x: random.range(-10, 10) * s, y: random.range(-10, 10) * s, z: 0 }, q: quatFromYaw(yaw) };
}
