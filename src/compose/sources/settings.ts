import { settings } from "../../schema/settings.ts";
import type { ProfileName } from "./request.ts";

/** Frames between a robot that does not wait and a memory that takes its time. */
export const QUEUE = settings("sources.queue", {
  /** Most frames that wait, by the rules "drop" and "keyframes"; a frame of 640×480 takes 1.5 MB. */
  frames: [8, "frames", 1, 64, "limit"],
  /** Most frames that the rule "newest" puts aside for when there is time. */
  aside: [32, "frames", 0, 128, "limit"],
  /** A view is new after so much of a step … */
  stepM: [0.25, "m", 0.05, 2, "limit"],
  /** … or of a turn … */
  turnRad: [0.3, "rad", 0.05, 1.5, "limit"],
  /** … or after so long, since things may have moved. */
  everyS: [5, "s", 0.5, 60, "limit"],
});

/** What a robot shows is looked at again, with what was seen since, in the time that it leaves. */
export const LATER = settings("sources.later", {
  /** A robot that shows nothing new for so long pauses: what is left is looked at again. */
  pauseS: [3, "s", 0.5, 60, "limit"],
});

/** Sources that are lost are tried again, after a pause that doubles. */
export const AGAIN = settings("sources.retries", {
  firstS: [0.5, "s", 0.1, 10, "limit"],
  longestS: [15, "s", 1, 120, "limit"],
  /** Frames in a row that cannot be written before a source gives up. */
  failures: [5, "frames", 1, 100, "limit"],
  /** How long a source that is stopped may finish the frame that it is at. */
  stopS: [2, "s", 0.5, 5, "limit"],
});

const SMALL = settings("sources.small", {
  rateHz: [1, "Hz", 0.01, 60, "limit"],
  /** Longest side of the pictures that are looked at. */
  pictureSidePx: [320, "px", 64, 4_096, "limit"],
  viewPx: [320, "px", 64, 4_096, "limit"],
  /** How often rooms and regions are drawn again, in the robot's time. */
  mapEveryS: [30, "s", 1, 600, "limit"],
});
const FULL = settings("sources.full", {
  rateHz: [2, "Hz", 0.01, 60, "limit"],
  pictureSidePx: [4_096, "px", 64, 4_096, "limit"],
  viewPx: [640, "px", 64, 4_096, "limit"],
  mapEveryS: [10, "s", 1, 600, "limit"],
});

/** What each profile switches. */
export const PROFILES: Readonly<Record<ProfileName, typeof SMALL>> = { small: SMALL, full: FULL };
