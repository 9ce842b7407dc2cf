import { distance, distanceToBox } from "../../geometry/index.ts";
import { C_FROM, C_MAX_X, C_MAX_Y, C_MAX_Z, C_MIN_X, C_MIN_Y, C_MIN_Z, C_X, C_Y, C_Z } from "./layout.ts";
import { AREA, type MemoryView } from "./memory-view.ts";
import type { HitScores, IndexHit, NumericQuery } from "./query.ts";
import type { ExactScores, Ranked } from "./vector-rank.ts";
import type { WordScores } from "./word-scores.ts";

/** More hits than this are worth reading ahead. */
const FEW = 4;

/** The score of a row by each key, for the rows that are reported. */
export class HitScorer {
  readonly #view: MemoryView;
  readonly #query: NumericQuery;
  readonly #exact: { readonly text?: ExactScores; readonly image?: ExactScores };
  readonly #words: WordScores | undefined;
  readonly #plain: boolean;
  /** The rank is the one meaning key's score itself. */
  readonly #byMeaningOnly: boolean;

  constructor(
    view: MemoryView,
    query: NumericQuery,
    exact: { readonly text?: ExactScores; readonly image?: ExactScores },
    words: WordScores | undefined,
  ) {
    this.#view = view;
    this.#query = query;
    this.#exact = exact;
    this.#words = words;
    this.#plain = query.text === undefined && query.image === undefined && words === undefined;
    this.#byMeaningOnly = query.rank === "meaning" && query.image === undefined && words === undefined;
  }

  hits(ranked: readonly Ranked[]): IndexHit[] {
    if (ranked.length > FEW) this.#warm(ranked);
    return ranked.map((one) => this.#hit(one));
  }

  /** Hits are made one by one, and each would wait for memory. */
  #warm(ranked: readonly Ranked[]): void {
    const view = this.#view;
    const at = view.area(AREA.pairs, ranked.length * 4 + 64);
    for (let i = 0; i < ranked.length; i++) view.u32[(at >>> 2) + i] = ranked[i]!.slot;
    view.kernel.warmHits(at, ranked.length);
  }

  #hit({ slot, score }: Ranked): IndexHit {
    const { rank } = this.#query;
    const distanceM = rank === "distance" ? score : this.#distanceOf(slot);
    const scores = this.#scores(slot, score, distanceM);
    const byTime = rank === "latest" || rank === "earliest";
    const value = rank === "id" ? 0 : byTime ? this.#view.columnF(slot, C_FROM) : score;
    return { row: this.#view.externalOf(slot), id: this.#view.idOf(slot), slot, score: value, scores };
  }

  #scores(slot: number, score: number, distanceM: number | undefined): HitScores {
    if (this.#byMeaningOnly)
      return distanceM === undefined ? { meaning: score } : { meaning: score, distanceM };
    const scores: HitScores = this.#plain ? {} : this.meaning(slot);
    if (distanceM !== undefined) scores.distanceM = distanceM;
    return scores;
  }

  /** The meaning keys' scores, present only where the row is eligible for them. */
  meaning(slot: number): HitScores {
    const scores: HitScores = {};
    const { text, image } = this.#query;
    const line = this.#exact.text?.ofRow(slot);
    if (line !== undefined && line >= (text!.min ?? Number.NEGATIVE_INFINITY)) scores.meaning = line;
    const picture = this.#exact.image?.ofRow(slot);
    if (picture !== undefined && picture >= (image!.min ?? Number.NEGATIVE_INFINITY)) scores.image = picture;
    const words = this.#words?.of(slot);
    if (words !== undefined) scores.words = words;
    return scores;
  }

  #distanceOf(slot: number): number | undefined {
    const { place } = this.#query;
    const view = this.#view;
    if (place === undefined || place.type === "box") return undefined;
    const from = place.type === "within" ? place.point : place.from;
    if (from === undefined) return undefined;
    if (place.type === "within" && place.metric === "box") {
      const min = {
        x: view.columnF(slot, C_MIN_X),
        y: view.columnF(slot, C_MIN_Y),
        z: view.columnF(slot, C_MIN_Z),
      };
      const max = {
        x: view.columnF(slot, C_MAX_X),
        y: view.columnF(slot, C_MAX_Y),
        z: view.columnF(slot, C_MAX_Z),
      };
      return distanceToBox(from, { min, max });
    }
    return distance(from, {
      x: view.columnF(slot, C_X),
      y: view.columnF(slot, C_Y),
      z: view.columnF(slot, C_Z),
    });
  }
}
