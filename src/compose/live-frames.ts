import { apply, type Box, boxFromCentre, invert, type Transform } from "../geometry/index.ts";
import type { IngestOptions, LiveIngest, LiveOutcome, StatementItem } from "../ingest/index.ts";
import type { WriteBatch } from "../memory/port.ts";
import { momentUs } from "../memory/query.ts";
import type { OperationContext } from "../operations/context.ts";
import {
  type DetectionsInput,
  type FrameEdgeInput,
  type FrameLine,
  LociError,
  WORLD_FRAME,
} from "../schema/core.ts";
import type { Frame } from "../sensors/index.ts";
import { ownLayer } from "../sharing/own-layer.ts";
import { joinScene } from "./join.ts";
import type { Memory } from "./memory.ts";

/** A frame as sent: its metadata, and its pictures as files. */
export interface SentFrame extends Omit<FrameLine, "index"> {
  readonly scene?: string;
  readonly labels?: readonly string[];
  /** JPEG or PNG. */
  readonly picture?: Uint8Array;
  /** Grey PNG of 16 bits, `depthUnitM` metres a unit. */
  readonly depth?: Uint8Array;
  /** Grey PNG: the detection number at each pixel. */
  readonly masks?: Uint8Array;
}

/** Most frames queued for one scene; further frames are refused and the sender retries. */
const MAX_WAITING = 8;
/** After this long without a frame an ingest is finished, so that its stages flush. */
const IDLE_MS = 30_000;
/** Bounds the memory needed to decode one frame. */
const MAX_PIXELS = 16_777_216;

interface Round {
  readonly ingest: Promise<LiveIngest>;
  readonly reader: Memory;
  readonly sceneId: string;
  /** Frames that were received and are not durable yet. */
  waiting: number;
  ends: NodeJS.Timeout | undefined;
}

/** A place at the live ingest of a scene, for a source that gives one frame after the other. */
export interface Seat {
  /** Resolves once the frame is durable. */
  take(frame: Frame): Promise<LiveOutcome>;
  edges(edges: readonly FrameEdgeInput[]): Promise<void>;
  state(item: StatementItem): Promise<void>;
  /** The source has ended; the last one to leave finishes what is pending. */
  leave(): Promise<void>;
}

/**
 * The live ingests of one memory. Frames of one scene with the same labels share one pipeline, whichever robot sends
 * them, so that a chair seen by two robots becomes one track.
 */
export class LiveFrames {
  readonly #memory: Memory;
  readonly #rounds = new Map<string, Round>();
  readonly #seats = new Map<string, number>();
  /** Set while nothing may be taken in. */
  #quiet: Promise<unknown> | undefined;
  #index = 0;
  #commitUs = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Memory time of the last write. */
  get commitUs(): number {
    return this.#commitUs;
  }

  /** Resolves once the frame is durable. */
  async take(
    sent: SentFrame,
    filing: Filing,
    { actor, eyes }: Pick<OperationContext, "actor" | "eyes">,
  ): Promise<LiveOutcome> {
    const round = this.#rounds.get(keyOf(filing));
    if (round && round.waiting >= MAX_WAITING)
      throw new LociError("overloaded", `${MAX_WAITING} frames wait already; try again`);
    return this.#inRound(filing, actor.id, async (ingest) => {
      const frame = await frameOfSent(sent, filing.author, this.#index++);
      return ingest.take(eyes ? await eyes.look(frame) : frame);
    });
  }

  /** A seat for a source; `actorId` reads what every holder of the written labels may see. */
  seat(filing: Filing, actorId: string): Seat {
    const key = keyOf(filing);
    this.#seats.set(key, (this.#seats.get(key) ?? 0) + 1);
    let hasLeft = false;
    return {
      take: (frame) =>
        this.#inRound(filing, actorId, (ingest) => ingest.take({ ...frame, index: this.#index++ })),
      edges: (edges) => this.#inRound(filing, actorId, (ingest) => ingest.edges(edges)),
      state: (item) => this.#inRound(filing, actorId, (ingest) => ingest.state(item)),
      leave: async () => {
        if (hasLeft) return;
        hasLeft = true;
        const left = this.#seats.get(key)! - 1;
        this.#seats.set(key, left);
        if (left === 0) this.#seats.delete(key);
        if (left === 0 && this.#rounds.get(key)?.waiting === 0) await this.#end(key);
      },
    };
  }

  /**
   * Finishes what is under way, does the work while nothing is taken in, and goes on; frames that come meanwhile wait. Work
   * that removes records needs this: stages keep what they have read.
   */
  async quietly<T>(work: () => Promise<T>): Promise<T> {
    while (this.#quiet) await this.#quiet.catch(() => undefined);
    const done = this.finish().then(work);
    this.#quiet = done;
    try {
      return await done;
    } finally {
      this.#quiet = undefined;
    }
  }

  async #inRound<T>(filing: Filing, actorId: string, work: (ingest: LiveIngest) => Promise<T>): Promise<T> {
    while (this.#quiet) await this.#quiet.catch(() => undefined);
    const key = keyOf(filing);
    const round = this.#round(key, filing, actorId);
    round.waiting++;
    if (round.ends) clearTimeout(round.ends);
    try {
      const ingest = await round.ingest;
      return await work(ingest).catch((error: unknown) => {
        // After a failed write the stages are ahead of the memory, so the next frame reopens them.
        if (this.#rounds.get(key) === round) this.#rounds.delete(key);
        throw error;
      });
    } finally {
      round.waiting--;
      this.#endWhenIdle(key, round);
    }
  }

  /** Finishes every round. */
  async finish(): Promise<void> {
    for (const key of [...this.#rounds.keys()]) await this.#end(key);
  }

  #round(key: string, filing: Filing, actorId: string): Round {
    const known = this.#rounds.get(key);
    if (known) return known;
    // The stages read what every holder of the written labels may see, so that rooms and their texts reveal nothing
    // else.
    const reader = this.#memory.as({ principal: { id: actorId, labels: filing.labels } });
    const made: Round = {
      ingest: this.#open(filing, reader),
      reader,
      sceneId: filing.sceneId,
      waiting: 0,
      ends: undefined,
    };
    this.#rounds.set(key, made);
    made.ingest.catch(() => this.#rounds.delete(key));
    return made;
  }

  async #open({ sceneId, labels, how }: Filing, seen: Memory): Promise<LiveIngest> {
    const { LiveIngest } = await import("../ingest/index.ts");
    const memory = this.#memory;
    const write = async (batch: WriteBatch) => {
      const layer = await ownLayer(batch, labels, await memory.reader());
      const commit = await memory.write(layer);
      this.#commitUs = commit.commitUs;
      return commit;
    };
    return LiveIngest.open({
      reader: await seen.reader(),
      write,
      manyWriters: memory.engine.capabilities.manyWriters,
      embedder: await memory.embedder(),
      background: await memory.background(),
      sceneId,
      labels,
      ...how,
    });
  }

  #endWhenIdle(key: string, round: Round): void {
    if (round.ends) clearTimeout(round.ends);
    round.ends = setTimeout(() => void this.#end(key).catch(() => undefined), IDLE_MS);
    round.ends.unref();
  }

  async #end(key: string): Promise<void> {
    const round = this.#rounds.get(key);
    if (round === undefined) return;
    this.#rounds.delete(key);
    if (round.ends) clearTimeout(round.ends);
    try {
      await (await round.ingest).finish();
    } finally {
      await round.reader.close();
    }
    // Another open round of this scene still has the old maps cached.
    const isBusy = [...this.#rounds.values()].some(({ sceneId }) => sceneId === round.sceneId);
    if (!isBusy) await joinScene(this.#memory, round.sceneId);
  }
}

/** Assumed camera for detections without intrinsics: a wide field of view and a large image. */
const ANY_CAMERA = { fx: 320, fy: 320, cx: 320, cy: 320, width: 640, height: 640 };

/** Detections of an external detector as a frame without pictures, keeping its boxes. */
export function frameOfLook(look: DetectionsInput["looks"][number]): SentFrame {
  const { pose, sensor = "detector", frame = WORLD_FRAME } = look;
  if (pose?.q === undefined)
    throw new LociError(
      "invalid-input",
      "looks are tracked by where they were taken from: give pose p and q",
    );
  const worldFromCamera = { p: pose.p, q: pose.q };
  return {
    timeUs: momentUs(look.time),
    agentId: look.agent ?? "local",
    sensorId: sensor,
    mapFrame: frame,
    intrinsics: ANY_CAMERA,
    worldFromCamera,
    detections: look.detections.map(({ category, position, extent, score = 1, text, bbox }) => {
      const box = boxFromCentre(position, extent ?? { x: 0, y: 0, z: 0 });
      return {
        label: category,
        score,
        box,
        bbox: bbox ?? pixelsOf(box, worldFromCamera),
        ...(text !== undefined && { text }),
      };
    }),
  };
}

/** The pixel bounds of a box, clipped to the picture. */
function pixelsOf({ min, max }: Box, worldFromCamera: Transform): [number, number, number, number] {
  const { fx, fy, cx, cy, width, height } = ANY_CAMERA;
  const cameraFromWorld = invert(worldFromCamera);
  const seen = [min.x, max.x].flatMap((x) =>
    [min.y, max.y].flatMap((y) =>
      [min.z, max.z].map((z) => {
        const at = apply(cameraFromWorld, { x, y, z });
        const depth = Math.max(at.z, 0.01);
        return { u: cx + (fx * at.x) / depth, v: cy + (fy * at.y) / depth };
      }),
    ),
  );
  const within = (value: number, most: number) => Math.min(most, Math.max(0, value));
  const [us, vs] = [seen.map(({ u }) => within(u, width)), seen.map(({ v }) => within(v, height))];
  const [left, top] = [Math.floor(Math.min(...us)), Math.floor(Math.min(...vs))];
  return [
    Math.min(left, width - 1),
    Math.min(top, height - 1),
    Math.max(Math.ceil(Math.max(...us)), left + 1),
    Math.max(Math.ceil(Math.max(...vs)), top + 1),
  ];
}

/** Scene, agent and labels that a frame is filed under. */
export interface Filing {
  readonly sceneId: string;
  readonly labels: readonly string[];
  readonly author: string | undefined;
  /** How the frames are taken in, where that is not as usual. */
  readonly how?: FilingOptions | undefined;
}

/** Frames that are taken in differently have stages of their own. */
export type FilingOptions = Pick<IngestOptions, "mode" | "privacy" | "viewPx" | "mapEveryUs">;

function keyOf({ sceneId, labels, how = {} }: Filing): string {
  return JSON.stringify([sceneId, labels, how]);
}

/** The frame that was sent; pictures of another size than the camera's are refused before they are decoded. */
async function frameOfSent(sent: SentFrame, author: string | undefined, index: number): Promise<Frame> {
  const { picture, depth, masks, scene: _, labels: __, ...line } = sent;
  const { width, height } = line.intrinsics;
  if (width * height > MAX_PIXELS)
    throw new LociError("limit-exceeded", `a frame has at most ${MAX_PIXELS} pixels, got ${width}×${height}`);
  const { decodeColour, decodeGrey16, frameOf, imageSize } = await import("../sensors/index.ts");
  for (const [name, bytes] of Object.entries({ picture, depth, masks })) {
    if (bytes === undefined) continue;
    const size = imageSize(bytes);
    if (size?.width !== width || size.height !== height)
      throw new LociError(
        "invalid-input",
        `${name}: expected a JPEG or PNG of ${width}×${height} as the intrinsics say, got ${size ? `${size.width}×${size.height}` : "something else"}`,
      );
  }
  return frameOf(
    { ...line, index, ...(author !== undefined && { agentId: author }) },
    {
      ...(picture && { rgb: await decodeColour(picture) }),
      ...(depth && { depth: await decodeGrey16(depth) }),
      ...(masks && { masks: await decodeGrey16(masks) }),
    },
  );
}
