import type { Rule } from "../finding.ts";
import type { Asks } from "../need.ts";
import { capacity } from "./capacity.ts";
import { change } from "./change.ts";
import { compare, relate } from "./compare.ts";
import { attribute, count, distanceBetween, exist, predict, size, state } from "./facts.ts";
import { carry, motion } from "./movers.ts";
import { belongs, describe } from "./needs.ts";
import { direction, locate, nearest, recognise, room } from "./places.ts";
import { place, serves } from "./purposes/serve.ts";
import { duration, ego, frequency, order, when } from "./times.ts";

/** The rule for each kind of question. */
export const RULES: Readonly<Record<Asks, Rule>> = {
  recognise,
  locate,
  attribute,
  direction,
  distance: distanceBetween,
  size,
  state,
  exist,
  count,
  compare,
  relate,
  when,
  duration,
  frequency,
  order,
  change,
  ego,
  motion,
  carry,
  capacity,
  function: serves,
  implicit: place,
  describe,
  room,
  nearest,
  predict,
  belong: belongs,
};
