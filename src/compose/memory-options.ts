import type { Vec3 } from "../geometry/index.ts";
import type { Moment } from "../memory/query.ts";
import type { TextEmbedder } from "../models/index.ts";

/** What can be chosen or injected when a memory is opened; everything has a default. */
export interface OpenOptions {
  /** An embedder of models/registry, such as "loci", "hashing:64" or "openai:MODEL@URL"; or one's own, closed with it. */
  readonly embedder?: string | TextEmbedder;
  /** Make the memory if it is not there; default true. */
  readonly create?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Purely semantic searches of a memory past a million vectors may be approximate; default false. */
  readonly approximate?: boolean;
  readonly nowUs?: () => number;
  readonly randomBytes?: (n: number) => Uint8Array;
}

export interface RememberOptions {
  /** Where: metres in the world frame, or in `frame`. */
  readonly at?: Vec3;
  readonly frame?: string;
  /** When it was so; default now, and for a moment only. */
  readonly time?: Moment;
  readonly until?: Moment | null;
  readonly topic?: string;
  readonly author?: string;
  readonly sceneId?: string;
  readonly labels?: readonly string[];
  readonly id?: string;
}
