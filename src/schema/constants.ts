/** In storage order: a kind's number is its index and never changes; new kinds are appended. */
export const RECORD_KINDS = [
  "observation",
  "detection",
  "track",
  "state",
  "view",
  "caption",
  "place",
  "region",
  "relation",
  "event",
  "agent",
] as const;

/** A side longer than this is a damaged header, not a camera. */
export const IMAGE_SIDE_PX = 8_192;

/** The frame that every other frame is finally placed in. */
export const WORLD_FRAME = "world";

/** The category of what nobody has named. */
export const NAMELESS = "thing";
