import { ownSteps, stepsOf, visitsOf } from "../../../belief/looks.ts";
import { extentOf, type Span } from "../../../belief/span.ts";
import { movesItself } from "../../../ontology/index.ts";
import type { Expression } from "../../../schema/index.ts";
import type { Call } from "../operator.ts";
import { notSo, type TruthValue, type UnknownValue, unknownValue, type Value } from "../value.ts";
import { spanOf } from "./spans.ts";

/** The most moments of a span that are tried. */
const MOST_MOMENTS = 64;
const KINDS_OF_CHANGE = ["move", "appear", "disappear", "state-change"];

/** Whether an event of this type is a moment: its span is between the last observation before and the first after. */
export function isChange(type: string): boolean {
  return KINDS_OF_CHANGE.includes(type);
}

/**
 * The moments of a span at which a truth may have changed, earliest first: its beginning, and just after each change of
 * the things in its evidence; of any thing, where it has none.
 */
async function turningPoints(evidence: Value["evidence"], span: Span, call: Call): Promise<number[]> {
  const { memory } = call.scope;
  const tracks = [...new Set(evidence.flatMap(({ trackId }) => trackId ?? []))].slice(0, 12);
  const states = new Set<string>();
  const times: number[] = [];
  for (const trackId of tracks) {
    const stays = await memory.stays(trackId);
    for (const { state } of stays) {
      states.add(state.id);
      times.push(state.validFromUs, ...(state.validToUs === null ? [] : [state.validToUs]));
    }
    const [mover] = stays.filter(({ category }) => movesItself(category));
    if (mover)
      for (const { fromUs } of await visitsOf(await stepsOf(mover, memory, span), memory)) times.push(fromUs);
  }
  const events = await memory.events(KINDS_OF_CHANGE, span);
  for (const { who, validFromUs } of events)
    if (tracks.length === 0 || who.some((id) => states.has(id))) times.push(validFromUs);
  if (tellsOfRobots(call.node))
    for (const agentId of await memory.agents())
      for (const { fromUs } of await visitsOf(await ownSteps({ memory, agentId }, span), memory))
        times.push(fromUs);
  const begun = Math.max(span.fromUs, (await extentOf(memory)).fromUs);
  const inside = times.filter((us) => us > begun && us < span.toUs - 1);
  const sorted = [...new Set([begun, ...inside.map((us) => us + 1)])].sort((a, b) => a - b);
  if (sorted.length <= MOST_MOMENTS) return sorted;
  const step = sorted.length / MOST_MOMENTS;
  return Array.from({ length: MOST_MOMENTS }, (_, n) => sorted[Math.floor(n * step)]!);
}

/** Whether it depends on the positions of robots: then it may change whenever one enters another room. */
function tellsOfRobots({ op, of }: Expression): boolean {
  return op === "self" || op === "robots" || of.some(tellsOfRobots);
}

/** The truth at each moment of a span at which it may have changed; unknown moments are left out. */
export async function overTime(
  call: Call,
  span: Span,
): Promise<{ readonly atUs: number; readonly value: TruthValue }[]> {
  const now = await call.arg(0, { during: span });
  const found: { atUs: number; value: TruthValue }[] = [];
  for (const atUs of await turningPoints(now.evidence, span, call)) {
    const value = await call.arg(0, { during: { fromUs: atUs, toUs: atUs + 1 } });
    if (value.kind === "truth") found.push({ atUs, value });
  }
  return found;
}

export interface Since {
  readonly kind: "since";
  readonly fromUs: number;
  /** It was true by then; its beginning was not observed. */
  readonly byUs?: number | undefined;
  readonly p: number;
}

/** The time since which a truth has had its present value. */
export async function since(now: TruthValue, call: Call): Promise<UnknownValue | Since> {
  const span = spanOf({
    memory: call.scope.memory,
    during: { fromUs: (await extentOf(call.scope.memory)).fromUs, toUs: spanOf(call.scope).toUs },
  });
  if (!now.truth) return notSo(now.instead, { evidence: now.evidence });
  const was = await overTime(call, span);
  const before = was.findLastIndex(({ value }) => value.truth !== now.truth);
  const first = was[before + 1];
  if (!first) return unknownValue("never-seen", "I did not see since when.", { evidence: now.evidence });
  const changes = await call.scope.memory.events(KINDS_OF_CHANGE, span);
  // Turning points lie just after a change.
  const begun = changes.find(({ validFromUs }) => validFromUs === first.atUs - 1);
  // Just before its beginning it was not true.
  const fromUs = before < 0 ? first.atUs : first.atUs - 1;
  return { kind: "since", fromUs, byUs: begun?.validToUs ?? undefined, p: 0.6 * now.p + 0.1 };
}

/**
 * When something was so that is not so any more, of people and vehicles: being together or somewhere passes. The first or the
 * last time; undefined where it never was, or where it is of things that stay as they are.
 */
export async function passed(
  now: TruthValue,
  which: "first" | "last",
  call: Call,
): Promise<(Span & { readonly p: number }) | undefined> {
  const { memory } = call.scope;
  const tracks = [...new Set(now.evidence.flatMap(({ trackId }) => trackId ?? []))];
  const things = await Promise.all(tracks.map((trackId) => memory.stays(trackId)));
  if (things.length === 0 || !things.every(([stay]) => stay && movesItself(stay.category))) return undefined;
  const was = await overTime(call, spanOf(call.scope));
  const isSo = ({ value }: (typeof was)[number]) => value.truth;
  const found = which === "first" ? was.findIndex(isSo) : was.findLastIndex(isSo);
  if (found < 0) return undefined;
  const first = which === "first" ? found : was.findLastIndex((one, n) => n < found && !isSo(one)) + 1;
  const end = was.slice(first).find((one) => !isSo(one));
  const { p } = was[first]!.value;
  // Turning points lie just after a change: at the change itself it was so no more.
  return { fromUs: was[first]!.atUs, toUs: end ? end.atUs - 1 : spanOf(call.scope).toUs, p };
}
