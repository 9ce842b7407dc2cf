/** Three bytes a pixel, row by row from the top left. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Depth along the optical axis in units of `unitM`; 0 is no measurement. */
export interface DepthImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint16Array;
  readonly unitM: number;
}

/** The number of a segment at each pixel, 0 for none. Numbers count within this frame; they are no identities. */
export interface MaskImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint16Array;
}
