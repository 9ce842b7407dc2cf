/** Three bytes per pixel, row by row from the top left. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Depth along the optical axis in units of `unitM`; 0 means no measurement. */
export interface DepthImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint16Array;
  readonly unitM: number;
}

/** The segment number at each pixel, 0 for none. Numbers are local to this frame and do not identify things. */
export interface MaskImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint16Array;
}
