import { boxFromCentre, type Vec3, vec3 } from "../../geometry/index.ts";
import type { LiftedDetection, Percept } from "../../schema/core.ts";
import { Journal } from "../records/journal.ts";
import { confirm } from "../records/stays.ts";
import { RULE_ADJUDICATOR } from "../state/adjudicator.ts";
import type { AlignedFrame, Candidate } from "../state/frame.ts";
import { FrameView } from "../state/frame-view.ts";
import { Scene } from "../state/scene.ts";
import { type PlacedSolid, placeSolid } from "../state/shape.ts";
import { Thing } from "../state/thing.ts";
import { BACKGROUND, vectorOf } from "./toy-room.ts";

type Three = readonly [number, number, number];

export interface KnownOptions {
  readonly colour?: string;
  readonly looks?: number;
  readonly firstUs?: number;
  readonly lastUs?: number;
  readonly isConfirmed?: boolean;
  /** The robot that saw it. */
  readonly author?: string;
}

/** A scene with known things, placed by hand, to test one stage without the earlier ones. */
export class KnownScene {
  readonly scene = new Scene({
    sceneId: "toy",
    background: BACKGROUND,
    mode: "loci",
    adjudicator: RULE_ADJUDICATOR,
  });
  journal = new Journal();

  constructor() {
    this.scene.places.enter("robot", "world", { p: vec3(0, 0, 0), q: { w: 1, x: 0, y: 0, z: 0 } });
  }

  thing(id: string, category: string, centre: Three, extent: Three, options: KnownOptions = {}): Thing {
    const {
      colour = "red",
      looks = 10,
      firstUs = 0,
      lastUs = firstUs,
      isConfirmed = true,
      author = "robot",
    } = options;
    const worldBox = boxFromCentre(vec3(...centre), vec3(...extent));
    const thing = new Thing({
      stateId: `state-${id}`,
      trackId: `track-${id}`,
      type: "object",
      labels: [],
      author,
      worldBox,
      timeUs: firstUs,
    });
    thing.words.add(detectionOf(category, colour), looks);
    thing.evidence.detections = looks;
    thing.evidence.lastSeenUs = lastUs;
    thing.evidence.seenAgainUs = firstUs;
    thing.evidence.seenBeforeUs = lastUs;
    const [x, y, z] = extent;
    thing.shape.addKnown("world", vec3(...centre), { w: 1, x: 0, y: 0, z: 0 }, vec3(x / 2, y / 2, z / 2));
    this.scene.tentatives++;
    this.scene.things.add(thing);
    this.scene.latestUs = Math.max(this.scene.latestUs, lastUs);
    if (isConfirmed) confirm(this.scene, thing, this.journal);
    return thing;
  }
}

export function detectionOf(category: string, colour = "red"): LiftedDetection {
  const phrase = `${colour} ${category}`;
  return {
    id: `det-${phrase}`,
    category,
    phrase,
    attributes: { colour },
    vector: vectorOf(phrase),
    categoryVector: vectorOf(category),
    score: 0.9,
    areaPx: 400,
    bbox: [0, 0, 20, 20],
    truncated: false,
    occludedFraction: 0,
  };
}

/** A percept of the toy room as the stages after association receive it, without matches. */
export function frameOf(percept: Percept): AlignedFrame {
  const worldFromCamera = percept.submapFromCamera;
  const candidates = percept.detections.map(
    (detection, index): Candidate => ({ index, detection, solid: placed(detection, worldFromCamera.p) }),
  );
  return {
    percept,
    worldFromCamera,
    view: new FrameView(worldFromCamera, percept.intrinsics, percept.depth),
    candidates,
    matched: candidates.map(() => undefined),
    adjudicated: 0,
    place: () => [],
  };
}

function placed({ solid }: LiftedDetection, cameraInWorld: Vec3): PlacedSolid {
  return placeSolid(solid!, {
    submap: "world",
    worldFromSubmap: { p: vec3(0, 0, 0), q: { w: 1, x: 0, y: 0, z: 0 } },
    cameraInWorld,
    focalPx: 100,
    isPartial: false,
    open: 0,
  });
}
