import type { Kind } from "./kind.ts";
import { KINDS_OF_MEASURES } from "./kinds-of-measures.ts";
import { KINDS_OF_THINGS } from "./kinds-of-things.ts";
import { KINDS_OF_TIMES } from "./kinds-of-times.ts";
import { KINDS_OF_WISHES } from "./kinds-of-wishes.ts";

/** Every kind of question that is read by its form, by name. */
export const KINDS: Readonly<Record<string, Kind>> = {
  ...KINDS_OF_THINGS,
  ...KINDS_OF_MEASURES,
  ...KINDS_OF_TIMES,
  ...KINDS_OF_WISHES,
};
