import { MOST_STEPS, type Network, type Said } from "./network.ts";
import type { SourceWord } from "./source.ts";
import type { TargetToken } from "./target.ts";

/** One expression for a question, with the network's probability. */
export interface Proposal {
  readonly tokens: readonly TargetToken[];
  readonly logP: number;
}

interface Path {
  readonly tokens: readonly TargetToken[];
  readonly depth: number;
  readonly last: number;
  readonly said: Said;
  readonly logP: number;
}

const START = "<";
const END = ">";
/** Proposals this much less likely than the best (natural log) are dropped. */
const WORTH = -3;

/** The likeliest expressions, none less likely than `leastP`, best first, by beam search. */
export function proposals(
  network: Network,
  source: readonly SourceWord[],
  { most, leastP }: { readonly most: number; readonly leastP: number },
): Proposal[] {
  if (source.length === 0) return [];
  const { tokens } = network.tables;
  network.begin(source);
  const first = firstPlaces(source);
  let paths: Path[] = [{ tokens: [], depth: 0, last: tokens.indexOf(START), said: [], logP: 0 }];
  const done: Proposal[] = [];
  for (let step = 0; step < MOST_STEPS && paths.length > 0; step++) {
    const next: Path[] = [];
    for (const [n, { said, next: scores }] of network.step(paths).entries()) {
      const path = paths[n]!;
      for (const [choice, score] of likeliest(gathered(scores, tokens.length, first), most)) {
        const logP = path.logP + score;
        if (choice < tokens.length && tokens[choice] === END) {
          if (path.depth === 0 && path.tokens.length > 0) done.push({ tokens: path.tokens, logP });
          continue;
        }
        const token = choice < tokens.length ? tokens[choice]! : `@${choice - tokens.length}`;
        const depth = path.depth + (token.endsWith("(") ? 1 : token === ")" ? -1 : 0);
        if (depth >= 0) next.push({ tokens: [...path.tokens, token], depth, last: choice, said, logP });
      }
    }
    const best = Math.max(done[0]?.logP ?? -Infinity, ...next.map(({ logP }) => logP));
    const least = Math.max(best + WORTH, Math.log(leastP));
    done.sort((a, b) => b.logP - a.logP);
    paths = next
      .filter(({ logP }) => logP > least && logP > (done[most - 1]?.logP ?? -Infinity))
      .sort((a, b) => b.logP - a.logP)
      .slice(0, most);
  }
  return done.slice(0, most);
}

/** A word that occurs several times is one choice: its first position, with the sum of probabilities. */
function gathered(scores: Float32Array, tokens: number, first: readonly number[]): Float32Array {
  const sums = scores.slice();
  for (const [place, same] of first.entries()) {
    if (same === place) continue;
    const [a, b] = [sums[tokens + same]!, scores[tokens + place]!];
    sums[tokens + same] = Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
    sums[tokens + place] = -Infinity;
  }
  return sums;
}

function firstPlaces(source: readonly SourceWord[]): number[] {
  const first = new Map<string, number>();
  return source.map(({ word }, n) => {
    if (!first.has(word)) first.set(word, n);
    return first.get(word)!;
  });
}

function likeliest(scores: Float32Array, most: number): [number, number][] {
  const found: [number, number][] = [];
  for (let n = 0; n < scores.length; n++) {
    const score = scores[n]!;
    if (found.length === most && score <= found[most - 1]![1]) continue;
    found.push([n, score]);
    found.sort((a, b) => b[1] - a[1]);
    found.length = Math.min(found.length, most);
  }
  return found;
}
