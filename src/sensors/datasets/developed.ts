import type { Frame } from "../frame.ts";

/** The pixels of a picture and its depth, registered to each other, and their common camera. */
export type Developed = Pick<Frame, "rgb" | "depth" | "intrinsics">;
