import type { EncodedImage } from "./embedder.ts";

/** A few seconds of one camera to be described. */
export interface ClipToCaption {
  readonly room?: string | undefined;
  /** Phrases of what is known to be visible. */
  readonly things: readonly string[];
  /** Some of its frames in order, encoded on demand. */
  images(): Promise<EncodedImage[]>;
}

/**
 * Frames into a few sentences. Null if the model gives none, and the caller then uses a template; throws only
 * `aborted`.
 */
export interface Captioner {
  readonly id: string;
  caption(clip: ClipToCaption, options?: { readonly signal?: AbortSignal }): Promise<string | null>;
  close(): Promise<void>;
}
