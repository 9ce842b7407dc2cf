import type { StatedClaim } from "../../models/prompts/index.ts";
import type { Evidence } from "../../retrieval/evidence.ts";
import { statesOf } from "../../retrieval/evidence.ts";
import type { AskOptions } from "../ask.ts";
import { clausesOf } from "./clauses.ts";
import { Grounds } from "./grounds.ts";
import { byItsName, judgeClause, judgeTruth } from "./judge-clause.ts";
import type { ClaimVerdict, Judged, Support } from "./judged.ts";
import { subjectOf } from "./short-answers.ts";
import { judgeStated } from "./stated-claim.ts";

/** An answer as far as its claims go. */
export interface Said {
  readonly text: string;
  readonly binary?: boolean | null | undefined;
  /** Claims that the one who answered wrote down by itself. */
  readonly claims?: readonly StatedClaim[] | undefined;
}

/** What an answer is held against: the memory of `AskOptions`, and what of it was cited and shown. */
export interface ClaimContext extends AskOptions {
  readonly cited: readonly Evidence[];
  /** Everything that was put before the one who answered. */
  readonly shown: readonly Evidence[];
  /** Finds what was shown by the id that a stated claim gives; default: a record's own. */
  readonly known?: ((id: string) => Evidence | undefined) | undefined;
  /** Views whose pictures were shown. */
  readonly looked?: ReadonlySet<string> | undefined;
  /** Asks once more whether pictures and texts show what no field tells; one verdict a claim. */
  readonly shows?: ((claims: readonly string[]) => Promise<readonly ClaimVerdict[]>) | undefined;
}

/** An answer, claim by claim. */
export interface Verified {
  readonly claims: readonly Judged[];
  readonly verdict: ClaimVerdict;
  readonly support: Support;
  /** The cited records that bear the answer out; where none is known to, all that were cited. */
  readonly cited: readonly Evidence[];
}

const MOST_STATED = 16;

/**
 * Splits an answer into claims and holds each against what it cites: as a question of our own language over the cited records
 * alone, then over all that were shown. A claim that the fields of records do not decide is left to pictures and texts.
 */
export async function verifyClaims(asked: string, said: Said, context: ClaimContext): Promise<Verified> {
  const { cited, shown, looked, shows, known: _, ...options } = context;
  const grounds = new Grounds(options, cited, shown);
  const known = context.known ?? ((id: string) => [...cited, ...shown].find((item) => item.id === id));
  const judged: Judged[] = [];
  // A claim without a value asserts nothing: the memory fills it in.
  const stated = (said.claims ?? []).filter(({ value, other }) => value != null || other != null);
  for (const claim of stated.slice(0, MOST_STATED)) judged.push(await judgeStated(claim, known, options));
  const name = nameOf(cited);
  const question = name === undefined ? asked : asked.replace(/\b(?:it|this|that)(?=[?.!\s]*$)/i, name);
  const about = subjectOf(question) ?? name;
  const clauses = clausesOf(said.text, about);
  const opening = /^(?:yes|no|yeah|nope)$/i.test(clauses[0]?.plain ?? "") ? clauses.shift() : undefined;
  const isYes = opening ? /^y/i.test(opening.plain) : said.binary;
  if (isYes != null) {
    let outcome = await judgeTruth(question, isYes, grounds);
    for (const named of byItsName(question.replace(/[?\s]+$/, ""), grounds))
      if (outcome.verdict === "cannot-tell") outcome = await judgeTruth(`${named}?`, isYes, grounds);
    const support = outcome.verdict === "cannot-tell" ? "none" : "fields";
    judged.push({ claim: isYes ? "yes" : "no", support, ...outcome });
  }
  const opened = judged.length;
  for (const clause of clauses) judged.push(await judgeClause(clause, question, grounds));
  // A "yes" or "no" that cannot be read stands where the sentence after it says what is so.
  const after = judged.slice(opened);
  const isShownAfter = opening && after.length > 0 && after.every(({ verdict }) => verdict === "supported");
  if (isShownAfter && judged[opened - 1]?.verdict === "cannot-tell") judged.splice(opened - 1, 1);
  const open = judged.filter(({ verdict }) => verdict === "cannot-tell");
  const claims = await byPictures(judged, open, { shows, looked, cited });
  return {
    claims,
    verdict: verdictOf(claims),
    support: supportOf(claims),
    cited: keptOf(claims, cited),
  };
}

async function byPictures(
  judged: readonly Judged[],
  open: readonly Judged[],
  { shows, looked, cited }: Pick<ClaimContext, "shows" | "looked" | "cited">,
): Promise<Judged[]> {
  const isPictured = cited.some(({ id, record }) => looked?.has(id) || record.kind === "view");
  const canTell = shows ? cited.length > 0 : cited.some(tellsMore);
  if (open.length === 0 || !canTell) return [...judged];
  // Who has seen the picture and cites it is believed, where the question cannot be put again.
  const unasked: ClaimVerdict = cited.some(({ id }) => looked?.has(id)) ? "supported" : "cannot-tell";
  const verdicts = shows ? await shows(open.map(({ claim }) => claim)) : open.map(() => unasked);
  const told = new Map(open.map((one, n) => [one, verdicts[n] ?? "cannot-tell"]));
  return judged.map((one) => {
    const verdict = told.get(one);
    if (verdict === undefined || verdict === "cannot-tell") return one;
    return { ...one, verdict, support: isPictured ? "picture" : "text" };
  });
}

/** Whether something of a record is in words or pictures alone. */
function tellsMore({ record }: Evidence): boolean {
  if (record.kind === "state") return record.views.length > 0;
  return record.kind === "view" || record.text.length > 0;
}

/** All must be borne out, and nothing denied. */
function verdictOf(claims: readonly Judged[]): ClaimVerdict {
  if (claims.some(({ verdict }) => verdict === "contradicted")) return "contradicted";
  const isOpen = claims.length === 0 || claims.some(({ verdict }) => verdict === "cannot-tell");
  return isOpen ? "cannot-tell" : "supported";
}

/** The weakest kind of support that a claim has. */
function supportOf(claims: readonly Judged[]): Support {
  for (const kind of ["none", "picture", "text", "fields"] as const)
    if (claims.some(({ support }) => support === kind)) return kind;
  return "none";
}

/** What took part in bearing the answer out; a citation that did not is surplus, where another did. */
function keptOf(claims: readonly Judged[], cited: readonly Evidence[]): readonly Evidence[] {
  if (claims.some(({ support }) => support !== "fields")) return cited;
  const refs = new Set(claims.flatMap((claim) => (claim.verdict === "supported" ? claim.refs : [])));
  const kept = cited.filter(
    ({ id, record }) =>
      refs.has(id) ||
      (record.kind === "state" && refs.has(record.trackId)) ||
      statesOf(record).some((state) => refs.has(state)),
  );
  return kept.length > 0 ? kept : cited;
}

function nameOf(cited: readonly Evidence[]): string | undefined {
  const [first] = cited.filter(({ record }) => record.kind === "state");
  return first?.record.kind === "state" ? `the ${first.record.category}` : undefined;
}
