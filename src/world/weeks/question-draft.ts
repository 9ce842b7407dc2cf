import type { Random } from "../../geometry/index.ts";
import type { QuestionInput } from "../../schema/index.ts";
import type { HouseThing } from "../house/types.ts";
import type { Phrase } from "../questions/phrases.ts";
import type { ImaginedWeeks } from "./imagine-weeks.ts";
import type { Look, Subject } from "./looks.ts";

/** A question without the fields common to all; slots are phrases for both sets of wordings. */
export interface WeekDraft {
  readonly subtype: string;
  readonly type: QuestionInput["type"];
  readonly slots: Readonly<Record<string, Phrase>>;
  readonly answer: QuestionInput["answer"];
  readonly extra?: readonly string[];
  readonly tolerance?: QuestionInput["tolerance"];
  readonly reason?: NonNullable<QuestionInput["unanswerableReason"]>;
  readonly evidenceUs: readonly number[];
}

/** One subject with all its observations, and the words for it. */
export interface Asked {
  readonly weeks: ImaginedWeeks;
  readonly subject: Subject;
  readonly thing: HouseThing;
  readonly name: Phrase;
  readonly looks: readonly Look[];
  readonly days: number;
  readonly nowUs: number;
  readonly random: Random;
  /** Words for a place that is in the memory and has a unique name. */
  nameOf(thingId: string): Phrase | undefined;
}
