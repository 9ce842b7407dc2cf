import { norm } from "../belief/matching.ts";
import { FIT, nameFit } from "../ontology/index.ts";
import type { Fields } from "./say/said.ts";

/** A result, in words and numbers. */
type Finding = Fields & { readonly text: string };

/** The option that a result means, as a letter; undefined when none is nearer than the others. */
export function chooseOption(
  finding: Finding,
  options: readonly string[],
): { letter: string; sure: number } | undefined {
  const scores = options.map((option) => scoreOf(finding, option.trim()));
  const best = Math.max(...scores);
  if (best <= 0) return undefined;
  const at = scores.indexOf(best);
  const second = Math.max(0, ...scores.filter((_, n) => n !== at));
  return {
    letter: String.fromCharCode(65 + at),
    sure: best > second ? 0.6 + 0.4 * Math.min(1, best - second) : 0.4,
  };
}

function scoreOf(finding: Finding, option: string): number {
  const text = norm(option);
  if (finding.binary !== undefined && /^(?:yes|no|true|false)\b/.test(text)) {
    return /^(?:yes|true)/.test(text) === finding.binary ? 1 : 0;
  }
  const number = /(-?\d+(?:\.\d+)?)/.exec(option)?.[1];
  const value = finding.count ?? finding.quantity?.value ?? finding.durationS ?? finding.time?.agoS;
  if (number !== undefined && value !== undefined) return 1 / (1 + Math.abs(Number(number) - value));
  const said = norm(finding.text);
  if (said === text) return 1;
  const names = [
    said,
    ...(finding.set ?? []).map(norm),
    ...(finding.position?.region === undefined ? [] : [norm(finding.position.region)]),
  ];
  return Math.max(...names.map((name, n) => overlap(name, text) * (n === 0 ? 1 : 0.9)));
}

/** How well a name matches an option: by its words, or by the meaning of both. */
function overlap(a: string, b: string): number {
  const meant = nameFit(b.replace(/^(?:the|an?) /, ""), a.replace(/^(?:the|an?) /, ""));
  return Math.max(shared(a, b), meant >= FIT.kind ? meant * 0.8 : 0);
}

/** Shared words as a share of both. */
function shared(a: string, b: string): number {
  const [x, y] = [new Set(a.split(" ").map(norm)), new Set(b.split(" ").map(norm))];
  let n = 0;
  for (const word of x) if (y.has(word) && word !== "the" && word !== "a") n++;
  return (2 * n) / (x.size + y.size);
}
