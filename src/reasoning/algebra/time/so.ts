import type { Call } from "../operator.ts";
import { type TruthValue, type UnknownValue, unknownValue, type Value } from "../value.ts";
import { extentOf, type Span, spanOf } from "./spans.ts";

/** So many moments of a span are tried. */
const MOST_MOMENTS = 48;
const KINDS_OF_CHANGE = ["move", "appear", "disappear", "state-change"];

/**
 * The moments of a span at which something may have become otherwise, earliest first: its beginning, and just after each
 * change of the things that a truth rests on; of anything, where it rests on none.
 */
async function turningPoints(evidence: Value["evidence"], span: Span, call: Call): Promise<number[]> {
  const { memory } = call.scope;
  const tracks = [...new Set(evidence.flatMap(({ trackId }) => trackId ?? []))].slice(0, 12);
  const states = new Set<string>();
  const times: number[] = [];
  for (const trackId of tracks)
    for (const { state } of await memory.stays(trackId)) {
      states.add(state.id);
      times.push(state.validFromUs, ...(state.validToUs === null ? [] : [state.validToUs]));
    }
  const events = await memory.events(KINDS_OF_CHANGE, span);
  for (const { who, validFromUs } of events)
    if (tracks.length === 0 || who.some((id) => states.has(id))) times.push(validFromUs);
  const begun = Math.max(span.fromUs, (await extentOf(memory)).fromUs);
  const inside = times.filter((us) => us > begun && us < span.toUs - 1);
  const sorted = [...new Set([begun, ...inside.map((us) => us + 1)])].sort((a, b) => a - b);
  if (sorted.length <= MOST_MOMENTS) return sorted;
  const step = sorted.length / MOST_MOMENTS;
  return Array.from({ length: MOST_MOMENTS }, (_, n) => sorted[Math.floor(n * step)]!);
}

/** What a truth was at each moment of a span at which it may have become otherwise; moments of which nothing is known are left out. */
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

/** Since when a truth is what it is now. */
export async function since(
  now: TruthValue,
  call: Call,
): Promise<UnknownValue | { readonly kind: "since"; readonly fromUs: number; readonly p: number }> {
  const span = spanOf({
    memory: call.scope.memory,
    during: { fromUs: (await extentOf(call.scope.memory)).fromUs, toUs: spanOf(call.scope).toUs },
  });
  if (!now.truth)
    return unknownValue("false-premise", now.instead ?? "That is not so.", { evidence: now.evidence });
  const was = await overTime(call, span);
  const before = was.findLastIndex(({ value }) => value.truth !== now.truth);
  const first = was[before + 1];
  return first
    ? { kind: "since", fromUs: first.atUs, p: 0.6 * now.p + 0.1 }
    : unknownValue("never-seen", "I did not see since when.", { evidence: now.evidence });
}
