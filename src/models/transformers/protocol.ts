import type { FoundModel } from "./find-model.ts";

/** The package that runs the models, and its known version. */
export const TRANSFORMERS = "@huggingface/transformers";
export const TRANSFORMERS_VERSION = "4.3.1";

/** The thread's start-up data. */
export interface ModelThreadData {
  readonly task: "text" | "image";
  readonly model: FoundModel;
  readonly packagesFrom?: string;
  readonly cacheDir?: string;
}

export type ModelRequest =
  | { readonly kind: "load" }
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  | { readonly kind: "images"; readonly images: readonly Uint8Array[] };

/** Vectors in one buffer, which is transferred between the threads and not copied. */
export interface ModelReply {
  readonly rows: number;
  readonly values: Float32Array<ArrayBuffer>;
}
