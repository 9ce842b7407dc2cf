/** One picture of a camera, with depth where there is some. */
export interface EyesInput {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly rgb: Uint8Array;
  /** Metres along the optical axis, registered to the colour picture, 0 for none; undefined without depth. */
  readonly depth: Float32Array | undefined;
  readonly camera: { readonly fx: number; readonly fy: number; readonly cx: number; readonly cy: number };
  /** The up vector in the camera's axes: x right, y down, z forward. */
  readonly up: readonly [number, number, number];
  /** The camera's height above the floor in metres; NaN if unknown. */
  readonly height0: number;
}

/**
 * The network's output on a grid that covers the picture: `scale` grid cells per picture pixel, 160×120 for a 4:3
 * picture, with a shorter side for other aspect ratios. Planes are consecutive, row by row.
 */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  /** Three planes of probabilities: structure of the building, furniture, small thing. */
  readonly surface: Float32Array;
  /** Probability of an edge between two things. */
  readonly boundary: Float32Array;
  /** 1 at the centre of a thing, falling off around it. */
  readonly centre: Float32Array;
  /** Two planes: x, y in grid pixels from here to the centre of the thing. */
  readonly offset: Float32Array;
  /** The likeliest of `Eyes.categories`. */
  readonly category: Likeliest;
  /** Predictions on a grid of half the size; absent for a network without finer names. */
  readonly closer?: CloserLook;
}

/** The three likeliest names of each cell with their probabilities, likeliest first; 0 if there are fewer. */
export interface Likeliest {
  readonly names: Uint8Array;
  readonly odds: Float32Array;
}

/** Finer names and states, on every second column and row of the grid. */
export interface CloserLook {
  readonly width: number;
  readonly height: number;
  /** The likeliest of `Eyes.kinds`. */
  readonly kind: Likeliest;
  /** A plane of probabilities for each of `Eyes.states`: open, on and so on. */
  readonly state: Float32Array;
}

/**
 * A network for single pictures: surfaces, edges, centres and names of things. Fusion over pictures is in
 * `perception`.
 */
export interface Eyes {
  /** Names the weights: equal ids give equal outputs (within rounding between runtimes). */
  readonly id: string;
  /** Names of our ontology; the first, "other", is for things without one here. */
  readonly categories: readonly string[];
  /** Finer names; none for a network with categories only. */
  readonly kinds?: readonly string[];
  /** States of things, by attribute: "openness". */
  readonly states?: readonly string[];
  look(input: EyesInput): Promise<Look>;
  close(): Promise<void>;
}

/** Our own kernels, which run everywhere, or onnxruntime-node where it is installed. */
export type EyesRuntime = "wasm" | "native";
