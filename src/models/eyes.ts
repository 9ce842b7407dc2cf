/** What eyes look at: one picture with its depth, and how the camera was held. */
export interface EyesInput {
  /** Of colour and depth alike; any size. */
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  /** Metres along the optical axis, registered to the colours; 0 is none. */
  readonly depth: Float32Array | undefined;
  readonly camera: { readonly fx: number; readonly fy: number; readonly cx: number; readonly cy: number };
  /** Up, against gravity, in the camera's frame (x right, y down, z forward). */
  readonly up: readonly [number, number, number];
  /** The camera's height above the floor in metres; NaN where nobody knows. */
  readonly height0: number;
}

/** What eyes say of every place of a grid that covers the picture; planes after each other. */
export interface Look {
  readonly width: number;
  readonly height: number;
  /** Three planes of probabilities: structure, furniture, small thing. */
  readonly surface: Float32Array;
  readonly boundary: Float32Array;
  readonly centre: Float32Array;
  /** Two planes: places of the grid to the middle of the thing, across and down. */
  readonly offset: Float32Array;
  /** A plane of probabilities a category. */
  readonly category: Float32Array;
}

/** A net that says of every pixel what it is of. The same picture gives the same answer. */
export interface Eyes {
  /** Names the weights. */
  readonly id: string;
  readonly categories: readonly string[];
  look(input: EyesInput): Promise<Look>;
  close(): Promise<void>;
}
