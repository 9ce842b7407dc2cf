import type { LiftedDetection } from "../../schema/core.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON, NEARLY_ALL, SLIP_SHARE } from "../settings/common.ts";
import { isFluent } from "./fluents.ts";
import { kindOf, marksOf } from "./marks.ts";
import type { Thing } from "./thing.ts";
import type { Votes } from "./votes.ts";
import { categoryOf, type Words } from "./words.ts";

interface Tally {
  right: number;
  wrong: number;
  /** Pairs of one frame: of one kind, and of two. */
  readonly twins: Pairs;
  readonly strangers: Pairs;
}

interface Pairs {
  shared: number;
  unlike: number;
}

/**
 * The reliability of each attribute, name and text for telling a thing from like ones, learnt in use. Observations of
 * well-known things show how often each is misread; two things in one frame, which are never one, show how often
 * neighbours share it. A detector that calls one book "novel" and "paperback" in turn loses its weight for names; the
 * colours that it hardly ever misreads keep theirs.
 */
export class Readings {
  readonly #tallies = new Map<string, Tally>();

  /** Log-odds that an observation is of the thing rather than another of its kind, by the words of both. */
  evidence(detection: LiftedDetection, words: Words): number {
    let sum = 0;
    const isOfKind = categoryOf(detection) === words.category;
    for (const [question, value, votes] of asked(detection, words)) {
      sum += this.#evidenceOf(question, value, votes, isOfKind);
    }
    return sum;
  }

  /**
   * Learns from an observation matched by its place whether it agrees with earlier ones. Call before its words are
   * added.
   */
  noteLook(detection: LiftedDetection, thing: Thing): void {
    if (thing.evidence.detections < COMMON.wellKnownLooks) return;
    for (const [question, value, votes] of asked(detection, thing.words)) {
      const known = votes.best();
      if (known === undefined || votes.shareOf(known) < COMMON.majorityShare) continue;
      const tally = this.#tallyOf(question);
      if (known === value) tally.right++;
      else tally.wrong++;
    }
  }

  /** Learns from one frame what near things of one kind have in common. */
  noteFrame(seen: Iterable<Thing>): void {
    const known = [...seen].filter(
      ({ type, evidence }) => type === "object" && evidence.detections >= COMMON.wellKnownLooks,
    );
    known.forEach((a, i) => {
      let others = 0;
      for (const b of known.slice(i + 1)) {
        const isOfKind = a.words.category === b.words.category;
        if (!isOfKind && ++others > ASSOCIATE.maxOthers) continue;
        const [p, q] = [a.centre, b.centre];
        if (Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z) > COMMON.nearM) continue;
        for (const [question, votes] of questionsOf(a.words)) {
          const [one, other] = [votes.best(), votesOn(b.words, question)?.best()];
          if (one === undefined || other === undefined || isFluent(question, one)) continue;
          const tally = this.#tallyOf(kindOf(question));
          const pairs = isOfKind ? tally.twins : tally.strangers;
          if (one === other) pairs.shared++;
          else pairs.unlike++;
        }
      }
    });
  }

  #evidenceOf(
    question: string,
    value: string | number | boolean,
    votes: Votes<string | number | boolean>,
    isOfKind: boolean,
  ): number {
    const { right, wrong, twins, strangers } = this.#tallyOf(question);
    const { shared, unlike } = isOfKind ? twins : strangers;
    const misread = Math.max(COMMON.minErrorP, wrong / (right + wrong));
    const common = shared / (shared + unlike);
    // The certainty, by all observations so far, that the thing has this value.
    const perLook = Math.log(((1 - misread) * ASSOCIATE.others) / misread);
    const own = votes.weightOf(value);
    let against = ASSOCIATE.others * Math.exp(-perLook * own);
    for (const [other, weight] of votes.ranked()) {
      if (other !== value) against += Math.exp(perLook * (weight - own));
    }
    const has = 1 / (1 + against);
    const ifSame = has * (1 - misread) + ((1 - has) * misread) / ASSOCIATE.others;
    const ifOther = has * common + ((1 - has) * (1 - common)) / ASSOCIATE.others;
    return Math.log(ifSame / ifOther);
  }

  #tallyOf(question: string): Tally {
    let tally = this.#tallies.get(question);
    if (!tally) {
      const first = () => ({ shared: 2, unlike: 2 });
      tally = {
        // The initial misreading rate of a detector is the general tolerance.
        right: NEARLY_ALL / SLIP_SHARE,
        wrong: 1,
        twins: first(),
        strangers: first(),
      };
      this.#tallies.set(question, tally);
    }
    return tally;
  }
}

type Asked = readonly [
  question: string,
  value: string | number | boolean,
  votes: Votes<string | number | boolean>,
];

/** The permanent answers of a detection to questions that the thing has answers to. */
function* asked(detection: LiftedDetection, words: Words): Generator<Asked> {
  for (const [name, value] of Object.entries(detection.attributes)) {
    const votes = words.attributes.get(name);
    if (votes && votes.total > 0 && !isFluent(name, value)) yield [name, value, votes];
  }
  for (const [question, value] of marksOf(detection, categoryOf(detection))) {
    const votes = words.marks.get(question);
    if (votes && votes.total > 0) yield [kindOf(question), value, votes];
  }
}

function* questionsOf(words: Words): Generator<readonly [string, Votes<string | number | boolean>]> {
  yield* words.attributes;
  yield* words.marks;
}

function votesOn(words: Words, question: string): Votes<string | number | boolean> | undefined {
  return words.attributes.get(question) ?? words.marks.get(question);
}
