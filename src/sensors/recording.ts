import { z } from "zod";
import { frameEdgeSchema, idSchema, timeUsSchema } from "../schema/index.ts";
import type { Frame } from "./frame.ts";
import type { LiveCounts } from "./live/formats.ts";
import type { RecordedCaption, RecordedGraph } from "./statements.ts";

/** The formats that we write and read back without loss. */
export const RECORDING_FORMATS = ["folder", "mcap", "db3"] as const;
export type RecordingFormat = (typeof RECORDING_FORMATS)[number];

/** What we read: our own formats and those of other tools. */
export type SourceFormat =
  | RecordingFormat
  | "bag"
  | "rosbridge"
  | "foxglove"
  | "tum"
  | "scannet"
  | "transforms"
  | "kitti"
  | "replica"
  | "open3d"
  | "stray"
  | "polycam"
  | "record3d"
  | "images"
  | "video"
  | "detections"
  | "captions"
  | "graph";

/** A map correction as received by the recorder: a new revision of a submap's pose. */
export const timedEdgeSchema = z.object({ receivedAtUs: timeUsSchema, edge: frameEdgeSchema });
export type TimedEdge = z.infer<typeof timedEdgeSchema>;

/** What is known about a recording without reading its frames. */
export const recordingInfoSchema = z.object({
  version: z.literal(1),
  frames: z.int().min(0),
  edges: z.int().min(0),
  startUs: timeUsSchema.nullable(),
  endUs: timeUsSchema.nullable(),
  agents: z.array(idSchema).max(1_024),
  /** Sentences without a picture, and scene graphs; absent means none. */
  captions: z.int().min(0).optional(),
  graphs: z.int().min(0).optional(),
  /** Number of frames with a pose; absent means all. */
  posed: z.int().min(0).optional(),
  /** The program that wrote it and its settings, for people. */
  source: z.string().max(4_096).default(""),
});
export type RecordingInfo = z.infer<typeof recordingInfoSchema>;

/** One item of a recording, in order of arrival. */
export type RecordingItem =
  | { readonly kind: "frame"; readonly frame: Frame }
  | { readonly kind: "edge"; readonly edge: TimedEdge }
  | { readonly kind: "caption"; readonly caption: RecordedCaption }
  | { readonly kind: "graph"; readonly graph: RecordedGraph };

/** Reads a recording from its beginning, any number of times; frames are decoded one at a time. */
export interface RecordingReader {
  readonly format: SourceFormat;
  readonly info: RecordingInfo;
  /** As in its plan (`SourcePlan`): which world it is in, and where its times begin. */
  readonly world?: "own" | undefined;
  readonly times?: "from-zero" | undefined;
  items(options?: { signal?: AbortSignal | undefined }): AsyncIterable<RecordingItem>;
  /** Of a running robot: what was heard and lost so far. */
  live?(): LiveCounts;
  close(): Promise<void>;
}

/** Takes frames and corrections in order of arrival. Exactly one of `finish` and `abort` ends it. */
export interface RecordingWriter {
  writeFrame(frame: Frame): Promise<void>;
  writeEdge(edge: TimedEdge): Promise<void>;
  finish(): Promise<void>;
  abort(): Promise<void>;
}

/** Only the frames of a recording. */
export async function* framesOf(
  reader: RecordingReader,
  options?: { signal?: AbortSignal | undefined },
): AsyncGenerator<Frame> {
  for await (const item of reader.items(options)) if (item.kind === "frame") yield item.frame;
}

/** Counts the items, for the info that a writer leaves at the end. */
export class InfoCounter {
  #frames = 0;
  #posed = 0;
  #edges = 0;
  #startUs: number | null = null;
  #endUs: number | null = null;
  readonly #agents = new Set<string>();
  readonly #source: string;

  constructor(source = "") {
    this.#source = source;
  }

  frame({ timeUs, agentId, worldFromCamera }: Pick<Frame, "timeUs" | "agentId" | "worldFromCamera">): void {
    this.#frames++;
    if (worldFromCamera) this.#posed++;
    this.#startUs = Math.min(this.#startUs ?? timeUs, timeUs);
    this.#endUs = Math.max(this.#endUs ?? timeUs, timeUs);
    this.#agents.add(agentId);
  }

  edge(): void {
    this.#edges++;
  }

  info(): RecordingInfo {
    return {
      version: 1,
      frames: this.#frames,
      edges: this.#edges,
      startUs: this.#startUs,
      endUs: this.#endUs,
      agents: [...this.#agents].sort(),
      ...(this.#posed < this.#frames && { posed: this.#posed }),
      source: this.#source,
    };
  }
}
