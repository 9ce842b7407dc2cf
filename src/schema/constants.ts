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

/** The frame that every other frame is finally placed in. */
export const WORLD_FRAME = "world";
