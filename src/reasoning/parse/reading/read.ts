import type { Subgoal } from "../../need.ts";
import type { Draft } from "../ask-kinds.ts";
import { textOf } from "./build.ts";
import { type Choice, kindsOf } from "./choose.ts";
import { type ChunkKind, chunksOf } from "./chunk.ts";
import { coreOf } from "./core.ts";
import { featuresOf } from "./features.ts";
import { KINDS } from "./kinds.ts";
import { type Form, rolesOf } from "./roles.ts";

/** A question as it was understood by its form. */
export interface Reading {
  readonly kind: string;
  /** How much more its form speaks for this kind than for others: 0 to 1. */
  readonly share: number;
  /** How much it looks like a question that the rules read best: what is left of something, how many are on that. */
  readonly forRules: number;
  /** One for each thing that is asked. */
  readonly drafts: Draft[];
  /** The question in the plainest words. */
  readonly plain: string;
}

/** So many of the likeliest kinds are tried. */
const MOST_TRIED = 8;
/** A kind less likely than this is not tried. */
const LEAST_SHARE = 0.004;
/** What a kind leaves unsaid of what the question names speaks against it. */
const LEFT_OVER: Readonly<Partial<Record<ChunkKind, number>>> = {
  thing: 0.25,
  room: 0.25,
  quote: 0.2,
  when: 0.3,
  since: 0.3,
  state: 0.35,
};

/** A thing that only tells another one apart may be what is asked about. */
const JOINED = 0.5;
/** Exemplars of this kind are questions that the rules read best. */
const FOR_RULES = "other/rules";

/**
 * Reads a question by its form: cut into chunks, the kind chosen by what exemplars of each look like, the places of
 * that kind filled from the chunks. Undefined when no likely kind finds what it needs.
 */
export function readByForm(
  form: Form,
  { nowUs, among }: { readonly nowUs: number; readonly among: readonly Subgoal[] },
): Reading | undefined {
  const choices = kindsOf(featuresOf(form.chunks, among.length > 0));
  let best: Reading | undefined;
  for (const choice of choices.slice(0, MOST_TRIED)) {
    if (choice.share < LEAST_SHARE || choice.share <= (best?.share ?? 0)) break;
    const reading = filled(form, choice, nowUs, among);
    if (reading && reading.share > (best?.share ?? 0)) best = reading;
  }
  return best && { ...best, forRules: choices.find(({ kind }) => kind === FOR_RULES)?.share ?? 0 };
}

/** All ways to read a question by its form, the likeliest first: for when the first finds nothing. */
export function readingsByForm(
  form: Form,
  { nowUs, among }: { readonly nowUs: number; readonly among: readonly Subgoal[] },
): Reading[] {
  return kindsOf(featuresOf(form.chunks, among.length > 0))
    .slice(0, MOST_TRIED)
    .filter(({ share }) => share >= LEAST_SHARE)
    .flatMap((choice) => filled(form, choice, nowUs, among) ?? [])
    .toSorted((a, b) => b.share - a.share);
}

/** A question without courtesies, cut into chunks. */
export function formOf(question: string): Form {
  const { text, names } = coreOf(question);
  return { text, chunks: chunksOf(text, names) };
}

function filled(
  form: Form,
  { kind, share }: Choice,
  nowUs: number,
  among: readonly Subgoal[],
): Reading | undefined {
  const spec = KINDS[kind];
  if (!spec) return undefined;
  const found = rolesOf(form, spec.places);
  if (!found) return undefined;
  const roles = spec.order ? spec.order(form, found) : found;
  const drafts = spec.build({ form, roles, nowUs, among });
  if (!drafts || drafts.length === 0) return undefined;
  const plain = spec.plain.replace(/\{(\w+)\}/g, (_, place: string) =>
    roles[place] ? textOf({ form }, roles[place]) : "",
  );
  const used = Object.values(roles);
  let own = share;
  for (const chunk of form.chunks) {
    const within = used.find(({ from, to }) => chunk.from >= from && chunk.to <= to);
    if (!within) own *= LEFT_OVER[chunk.kind] ?? 1;
    else if (chunk.from > within.from && chunk.kind === "thing") own *= JOINED;
  }
  return { kind, share: own, forRules: 0, drafts, plain: plain.replace(/\s+/g, " ").trim() };
}
