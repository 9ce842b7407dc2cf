import type { Vec3 } from "../geometry/index.ts";
import type { Moment } from "../memory/query.ts";
import type { TextEmbedder } from "../models/index.ts";

/** What can be chosen or injected when a memory is opened; everything has a default. */
export interface OpenOptions {
  /**
   * An embedder of models/registry, such as "loci", "hashing:64" or "openai:MODEL@URL"; or an instance, which is
   * closed with the memory.
   */
  readonly embedder?: string | TextEmbedder;
  /** Create the memory if it does not exist; default true. */
  readonly create?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Allow approximate results for purely semantic searches beyond a million vectors; default false. */
  readonly approximate?: boolean;
  readonly nowUs?: () => number;
  readonly randomBytes?: (n: number) => Uint8Array;
}

export interface RememberOptions {
  /** Where: metres in the world frame, or in `frame`. */
  readonly at?: Vec3;
  readonly frame?: string;
  /** When it was true; default: now, for that moment only. */
  readonly time?: Moment;
  readonly until?: Moment | null;
  readonly topic?: string;
  readonly author?: string;
  readonly sceneId?: string;
  readonly labels?: readonly string[];
  readonly id?: string;
}
