/** One picture of a camera, with depth where there is some. */
export interface EyesInput {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly rgb: Uint8Array;
  /** Metres along the optical axis, lying on the colour picture, 0 where there is none; undefined without depth. */
  readonly depth: Float32Array | undefined;
  readonly camera: { readonly fx: number; readonly fy: number; readonly cx: number; readonly cy: number };
  /** Where up is in the camera's axes: x right, y down, z forward. */
  readonly up: readonly [number, number, number];
  /** The camera's height above the floor in metres; NaN where it is not known. */
  readonly height0: number;
}

/**
 * What is seen in every pixel of a grid that covers the picture: `scale` grid pixels to a pixel of the picture, 160×120
 * for a picture of 4:3 and less of one side for other shapes. Planes lie one behind the other, row by row.
 */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  /** Three planes of probabilities: structure of the building, furniture, small thing. */
  readonly surface: Float32Array;
  /** Probability that here one thing ends and another begins. */
  readonly boundary: Float32Array;
  /** 1 in the middle of a thing, falling off around it. */
  readonly centre: Float32Array;
  /** Two planes: x, y in grid pixels from here to the middle of the thing. */
  readonly offset: Float32Array;
  /** The likeliest of `Eyes.categories`. */
  readonly category: Likeliest;
  /** What is told on a grid of half as many columns and rows; absent of eyes without kinds. */
  readonly closer?: CloserLook;
}

/** The three likeliest names of each cell with their probabilities, likeliest first; 0 where there are no more. */
export interface Likeliest {
  readonly names: Uint8Array;
  readonly odds: Float32Array;
}

/** Kinds and states, on every second column and row of a look. */
export interface CloserLook {
  readonly width: number;
  readonly height: number;
  /** The likeliest of `Eyes.kinds`. */
  readonly kind: Likeliest;
  /** A plane of probabilities for each of `Eyes.states`: of being open, on and so on, where a thing can be. */
  readonly state: Float32Array;
}

/** A net that sees: surfaces, edges, middles and names of things, in single pictures. What lasts over pictures is for `perception`. */
export interface Eyes {
  /** Names the weights: equal ids, equal looks (within rounding between runtimes). */
  readonly id: string;
  /** Names of our ontology; the first, "other", is for what has none here. */
  readonly categories: readonly string[];
  /** Finer names; none of eyes that have only categories. */
  readonly kinds?: readonly string[];
  /** States that a thing can be in, by the name of what changes: "openness". */
  readonly states?: readonly string[];
  look(input: EyesInput): Promise<Look>;
  close(): Promise<void>;
}

/** Kernels of our own, which run everywhere, or onnxruntime-node where it is installed. */
export type EyesRuntime = "wasm" | "native";
