import { extentOf } from "../../../geometry/index.ts";
import type { Thing } from "../../recall/thing.ts";

const HANGING =
  /ceiling|pendant|window|curtain|picture|painting|poster|sign|mirror|clock|photo|door$|rug|carpet|mat$|hood|wall/;

/** Whether a thing stands on the floor by itself, as what people name when they look around. */
export function standsAlone({ state, box }: Thing): boolean {
  if (state.supportedBy !== undefined || state.insideOf !== undefined || !box) return false;
  return !HANGING.test(state.category) && extentOf(box).z > 0.25;
}
