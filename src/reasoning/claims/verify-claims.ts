import type { StatedClaim } from "../../models/prompts/index.ts";
import type { Evidence } from "../../retrieval/evidence.ts";
import { statesOf } from "../../retrieval/evidence.ts";
import type { AskOptions } from "../ask.ts";
import { clausesOf } from "./clauses.ts";
import { Grounds } from "./grounds.ts";
import { judgeClause, judgeYesNo } from "./judge-clause.ts";
import type { ClaimVerdict, Judged, Support } from "./judged.ts";
import { subjectOf } from "./short-answers.ts";
import { judgeStated } from "./stated-claim.ts";

/** An answer in the form needed to check its claims. */
export interface Said {
  readonly text: string;
  readonly binary?: boolean | null | undefined;
  /** Claims that the answering model wrote down itself. */
  readonly claims?: readonly StatedClaim[] | undefined;
}

/** The reference for an answer: the memory of `AskOptions`, and the records that were cited and shown. */
export interface ClaimContext extends AskOptions {
  readonly cited: readonly Evidence[];
  /** All evidence shown to the answering model. */
  readonly shown: readonly Evidence[];
  /** Finds shown evidence by the id in a stated claim; default: a record's own. */
  readonly known?: ((id: string) => Evidence | undefined) | undefined;
  /** Views whose pictures were shown. */
  readonly looked?: ReadonlySet<string> | undefined;
  /**
   * Asks a model whether records and pictures support claims that fields alone do not decide; one verdict per claim.
   */
  readonly shows?:
    | ((claims: readonly string[], answer: string) => Promise<readonly ClaimVerdict[]>)
    | undefined;
}

/** An answer, claim by claim. */
export interface Verified {
  readonly claims: readonly Judged[];
  readonly verdict: ClaimVerdict;
  readonly support: Support;
  /** The cited records that support the answer; where none is known to, all that were cited. */
  readonly cited: readonly Evidence[];
}

const MOST_STATED = 16;

/**
 * Splits an answer into claims and checks each against its citations: as a question in our own language over the cited
 * records alone, then over all that were shown. A claim that the fields of records do not decide is left to pictures
 * and texts.
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
  if (isYes != null) judged.push(await judgeYesNo(question, isYes, grounds));
  const opened = judged.length;
  for (const clause of clauses) judged.push(await judgeClause(clause, question, grounds));
  // A "yes" or "no" that cannot be read or tested is judged by the sentence after it.
  const after = judged.slice(opened);
  const isShownAfter =
    opening && !shows && after.length > 0 && after.every(({ verdict }) => verdict === "supported");
  if (isShownAfter && judged[opened - 1]?.verdict === "cannot-tell") judged.splice(opened - 1, 1);
  const open = judged.filter(({ verdict }) => verdict === "cannot-tell");
  const claims = await byModel(judged, open, said.text, { shows, looked, cited });
  return {
    claims,
    verdict: verdictOf(claims),
    support: supportOf(claims),
    cited: keptOf(claims, cited),
  };
}

async function byModel(
  judged: readonly Judged[],
  open: readonly Judged[],
  text: string,
  { shows, looked, cited }: Pick<ClaimContext, "shows" | "looked" | "cited">,
): Promise<Judged[]> {
  const isPictured = cited.some(({ id, record }) => looked?.has(id) || record.kind === "view");
  const canTell = shows ? cited.length > 0 : cited.some(tellsMore);
  if (open.length === 0 || !canTell) return [...judged];
  // A model that has seen the picture and cites it is believed, where no second question is possible.
  const unasked: ClaimVerdict = cited.some(({ id }) => looked?.has(id)) ? "supported" : "cannot-tell";
  const claims = [...new Set(open.map(({ claim }) => inWords(claim)))];
  const verdicts = shows ? await shows(claims, text) : claims.map(() => unasked);
  const told = new Map(claims.map((claim, n) => [claim, verdicts[n] ?? "cannot-tell"]));
  return judged.map((one) => {
    const verdict = one.verdict === "cannot-tell" ? told.get(inWords(one.claim)) : undefined;
    if (verdict === undefined || verdict === "cannot-tell") return one;
    return { ...one, verdict, support: isPictured ? "picture" : "text" };
  });
}

/** A bare yes or no, as a claim that can be judged by itself. */
function inWords(claim: string): string {
  return /^(?:yes|no)$/.test(claim) ? `The answer to what was asked is “${claim}”.` : claim;
}

/** Whether part of a record's content is only in words or pictures. */
function tellsMore({ record }: Evidence): boolean {
  if (record.kind === "state") return record.views.length > 0;
  return record.kind === "view" || record.text.length > 0;
}

/** All must be supported, and none contradicted. */
function verdictOf(claims: readonly Judged[]): ClaimVerdict {
  if (claims.some(({ verdict }) => verdict === "contradicted")) return "contradicted";
  const isOpen = claims.length === 0 || claims.some(({ verdict }) => verdict === "cannot-tell");
  return isOpen ? "cannot-tell" : "supported";
}

/** The weakest kind of support among the claims. */
function supportOf(claims: readonly Judged[]): Support {
  for (const kind of ["none", "picture", "text", "fields"] as const)
    if (claims.some(({ support }) => support === kind)) return kind;
  return "none";
}

/** The citations that support the answer; others are dropped where one does. */
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
