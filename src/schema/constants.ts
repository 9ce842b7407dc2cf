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

/** A longer side means a damaged header, not a camera. */
export const IMAGE_SIDE_PX = 8_192;

/** The root frame, in which every other frame is placed. */
export const WORLD_FRAME = "world";

/** The category of things without a known category. */
export const NAMELESS = "thing";

/** The systems of the five papers, our own rules, and the baselines that the papers compare with. */
export const SYSTEM_NAMES = [
  "rules",
  "r4",
  "star",
  "memory-eqa",
  "embodied-rag",
  "r-eqa",
  "blind",
  "uniform",
  "whole-history",
] as const;
export type SystemName = (typeof SYSTEM_NAMES)[number];

/** What happens to frames of a robot that come faster than they are taken in. */
export const WHEN_BEHIND = ["drop", "newest", "keyframes"] as const;

/** How much of the machine taking a source in may use. */
export const PROFILE_NAMES = ["small", "full"] as const;
