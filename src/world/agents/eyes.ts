import { distance, Random, type Transform } from "../../geometry/index.ts";
import type { Detection, Frame } from "../../sensors/index.ts";
import { roomAt, type Timeline } from "../dynamics/index.ts";
import { FLUENTS, type FluentName, type HouseThing } from "../house/types.ts";
import {
  captionOf,
  type Label,
  type Mention,
  NO_NOISE,
  type NoiseLevels,
  noisyDepth,
  noisyLabel,
  paintSegments,
  type Segment,
  segment,
} from "../noise/index.ts";
import {
  type CameraSpec,
  type CompiledScene,
  intrinsicsOf,
  type Picture,
  type RenderPool,
  Visibility,
  type VisibleInstance,
  worldFromOptical,
} from "../sensors/index.ts";
import { SceneSource } from "./scene-source.ts";
import type { BodyPose } from "./trajectory.ts";

/** One observation: the agent, its pose, the time, and the noise. */
export interface Glance {
  readonly index: number;
  readonly agentId: string;
  readonly pose: BodyPose;
  /** True time. */
  readonly timeUs: number;
  readonly camera: CameraSpec;
  /**
   * Renders the pictures; without it there are no colours: depth and instances by visibility alone, some fifty times
   * faster.
   */
  readonly pool?: RenderPool | undefined;
  /** Its own random stream for this frame, and the agent's noise levels; none means no noise. */
  readonly noise?: { readonly random: Random; readonly levels: NoiseLevels } | undefined;
}

/** The ground truth of a frame; kept apart from it. */
export interface GlanceTruth {
  /** The thing behind segment n is at n − 1; null for an invented segment. */
  readonly segments: readonly (string | null)[];
  readonly visible: readonly VisibleInstance[];
  readonly worldFromCamera: Transform;
  readonly room: string | null;
}

/** Nothing is known to be dark. */
const NO_COLOURS = new Uint8Array(0);
const SCORE_WITH_NOISE = [0.45, 0.98] as const;
/** The caption words for a state; states without a word are not mentioned. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  open: "open",
  closed: "closed",
  on: "switched-on",
  full: "full",
  empty: "empty",
  unmade: "unmade",
  occupied: "occupied",
};

/**
 * Observes a timeline: renders, segments, labels and describes, with the given noise. The truth about a frame is
 * returned beside it and never in it. Safe to call for several frames concurrently; their order does not affect the
 * results.
 */
export class Eyes {
  readonly timeline: Timeline;
  readonly #scenes: SceneSource;
  readonly #visibility = new WeakMap<CompiledScene, Visibility>();
  readonly #categories: readonly string[];

  readonly #reports: (thing: HouseThing) => boolean;

  constructor(timeline: Timeline, reports: (thing: HouseThing) => boolean = isObject) {
    this.timeline = timeline;
    this.#reports = reports;
    this.#scenes = new SceneSource(timeline);
    this.#categories = [
      ...new Set(timeline.house.things.filter(reports).map((thing) => thing.category)),
    ].sort();
  }

  scene(timeUs: number): CompiledScene {
    return this.#scenes.at(timeUs);
  }

  async frame(glance: Glance): Promise<Frame> {
    return (await this.look(glance)).frame;
  }

  async look(glance: Glance): Promise<{ frame: Frame; truth: GlanceTruth }> {
    const { pose, timeUs, camera, pool } = glance;
    const scene = this.scene(timeUs);
    const intrinsics = intrinsicsOf(camera);
    const worldFromCamera = worldFromOptical(
      { ...pose.positionInWorld, z: pose.positionInWorld.z + camera.heightM },
      pose.yawRad,
      pose.tiltRad,
    );
    let visibility = this.#visibility.get(scene);
    if (!visibility) {
      visibility = new Visibility(scene);
      this.#visibility.set(scene, visibility);
    }
    const painted = await pool?.render(scene, intrinsics, worldFromCamera);
    const visible = visibility.look(intrinsics, worldFromCamera);
    const picture = painted ?? { ...camera, ...visibility.picture(), rgb: NO_COLOURS };
    const room = roomAt(this.timeline.house, pose.positionInWorld) ?? null;
    const { width, height } = picture;
    const levels = glance.noise?.levels ?? NO_NOISE;
    const segments = this.#segment(picture, glance, levels);
    const frame: Frame = {
      index: glance.index,
      timeUs,
      agentId: glance.agentId,
      sensorId: "camera",
      intrinsics,
      mapFrame: "world",
      worldFromCamera,
      ...(painted && { rgb: { width, height, data: painted.rgb } }),
      depth: {
        width,
        height,
        data: glance.noise
          ? noisyDepth(glance.noise.random.fork("depth"), levels.depth, picture, intrinsics.fx)
          : picture.depthMm,
        unitM: 0.001,
      },
      masks: { width, height, data: paintSegments(segments, width, height) },
      detections: this.#detect(segments, worldFromCamera, glance, levels, width),
      captions: [this.#caption(visible, room, glance, levels)],
    };
    const truth = {
      segments: segments.map(({ thing }) => (thing === 0 ? null : this.#thing(thing).id)),
      visible,
      worldFromCamera,
      room,
    };
    return { frame, truth };
  }

  #thing(number: number): HouseThing {
    return this.timeline.house.things[number - 1]!;
  }

  #segment({ instances, width, height }: Picture, glance: Glance, levels: NoiseLevels): Segment[] {
    const isThing = (number: number) => this.#reports(this.#thing(number));
    const categoryOf = (number: number) => this.#thing(number).category;
    return segment(streamOf(glance, "masks"), levels.masks, {
      width,
      height,
      instances,
      isObject: isThing,
      categoryOf,
    });
  }

  #detect(
    segments: readonly Segment[],
    worldFromCamera: Transform,
    glance: Glance,
    levels: NoiseLevels,
    width: number,
  ): Detection[] {
    const random = streamOf(glance, "labels");
    const scores = streamOf(glance, "scores");
    return segments.map(({ thing: number, pixels }, n) => {
      const label = number === 0 ? this.#invented(random) : this.#label(this.#thing(number), glance.timeUs);
      const centre =
        number === 0 ? undefined : this.timeline.placementAt(this.#thing(number).id, glance.timeUs)?.centre;
      const distanceM = centre ? distance(worldFromCamera.p, centre) : 3;
      const said = noisyLabel(random, levels.labels, label, distanceM, {
        states: FLUENTS,
        categories: this.#categories,
        falseShare: levels.falseLabels,
      });
      const score = levels.masks + levels.labels > 0 ? round(scores.range(...SCORE_WITH_NOISE)) : 1;
      return {
        mask: n + 1,
        bbox: boxOf(pixels, width),
        score,
        label: said.category,
        text: phraseOf(said),
        attributes: said.attributes,
      };
    });
  }

  #label(thing: HouseThing, timeUs: number): Label {
    const attributes: Record<string, string> = {};
    if (thing.colour !== undefined) attributes["colour"] = thing.colour;
    if (thing.material !== undefined) attributes["material"] = thing.material;
    for (const fluent of thing.fluents) {
      const value = this.timeline.fluentAt(thing.id, fluent, timeUs);
      if (value !== undefined) attributes[fluent] = value;
    }
    const text = this.timeline.textAt(thing.id, timeUs);
    return {
      category: thing.category,
      name: thing.name,
      attributes,
      ...(text !== undefined && { text, lettering: thing.lettering }),
    };
  }

  #invented(random: Random): Label {
    const category = random.pick(this.#categories);
    return { category, name: category, attributes: {} };
  }

  #caption(
    visible: readonly VisibleInstance[],
    room: string | null,
    glance: Glance,
    levels: NoiseLevels,
  ): string {
    const { house } = this.timeline;
    const shown = visible.filter(({ thing, pixels }) => pixels >= 60 && this.#reports(this.#thing(thing)));
    const mentions = [...shown]
      .sort((a, b) => b.pixels - a.pixels || a.thing - b.thing)
      .map(({ thing }) => this.#mention(this.#thing(thing), glance.timeUs));
    const name = house.rooms.find(({ id }) => id === room)?.type ?? "passage";
    return captionOf(streamOf(glance, "captions"), levels.captions, { room: name, mentions });
  }

  #mention(thing: HouseThing, timeUs: number): Mention {
    const placement = this.timeline.placementAt(thing.id, timeUs);
    const state = thing.fluents
      .map((fluent: FluentName) => this.timeline.fluentAt(thing.id, fluent, timeUs))
      .map((value) => (value === undefined ? undefined : STATE_WORDS[value]))
      .find((word) => word !== undefined);
    const onto =
      placement?.supportedBy === undefined ? undefined : this.timeline.thing(placement.supportedBy);
    const into = placement?.insideOf === undefined ? undefined : this.timeline.thing(placement.insideOf);
    const place = into
      ? `in the ${into.name}`
      : onto?.type === "furniture"
        ? `on the ${onto.name}`
        : undefined;
    const text = this.timeline.textAt(thing.id, timeUs);
    return { name: thing.name, colour: thing.colour, state, text, place };
  }
}

/** What a detector reports: everything but walls, floors and ceilings. */
export function isObject(thing: HouseThing): boolean {
  return thing.type !== "structure";
}

/** Without noise the order of segments is still shuffled, from a stream named by the frame. */
function streamOf({ noise, agentId, index }: Glance, label: string): Random {
  return (noise?.random ?? new Random(`${agentId}/${index}`)).fork(label);
}

function phraseOf({ name, attributes, text }: Label): string {
  const words = [attributes["colour"], attributes["material"], name]
    .filter((word) => word !== undefined)
    .join(" ");
  return text === undefined ? words : `${words} that says “${text}”`;
}

function boxOf(pixels: readonly number[], width: number): [number, number, number, number] {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
  for (const pixel of pixels) {
    const i = pixel % width;
    const j = (pixel - i) / width;
    if (i < left) left = i;
    if (i >= right) right = i + 1;
    if (j < top) top = j;
    if (j >= bottom) bottom = j + 1;
  }
  return [left, top, right, bottom];
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
