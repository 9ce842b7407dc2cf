import { DESCRIBE } from "./describe.ts";
import { DOINGS } from "./doings.ts";
import { ELLIPSES } from "./ellipses.ts";
import type { Frame } from "./frame.ts";
import { MEASURES } from "./measures.ts";
import { registerPieces } from "./pieces.ts";
import { SITUATED } from "./situated.ts";
import { TIMES } from "./times.ts";
import { WHAT_FRAMES } from "./what.ts";
import { WHERE } from "./where.ts";
import { WISHES } from "./wishes.ts";
import { YES_NO } from "./yes-no.ts";

registerPieces();

/** Every form of question that is known. */
export const FRAMES: readonly Frame[] = [
  ...WHERE,
  ...WHAT_FRAMES,
  ...MEASURES,
  ...YES_NO,
  ...TIMES,
  ...DOINGS,
  ...DESCRIBE,
  ...WISHES,
  ...ELLIPSES,
  ...SITUATED,
];
