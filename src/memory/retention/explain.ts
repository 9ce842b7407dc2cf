import type { RetentionPlan } from "./plan.ts";
import { EVICTABLE } from "./policy.ts";
import { isWorded } from "./slim.ts";

/** The plan in words, for people and logs. */
export function explainPlan(plan: RetentionPlan, most = 20): string {
  const { bytesNow, maxBytes, merges, evictions, slimmed, past, passes, sightings } = plan;
  const { bytesFreed, bytesOver, kept } = plan;
  const counts = EVICTABLE.map(
    (kind) => [kind, evictions.filter((one) => one.kind === kind).length] as const,
  );
  return [
    `${bytesNow} bytes${maxBytes === null ? "" : ` of at most ${maxBytes}`}; about ${Math.round(bytesFreed)} can be freed`,
    ...(bytesOver > 0 ? [`${bytesOver} bytes stay over the budget: the rest is protected`] : []),
    `captions merged: ${merges.reduce((sum, { forgotten }) => sum + forgotten.length, 0)} into ${merges.length}`,
    ...[
      [
        "pieces of map without surface points",
        slimmed.filter(({ record }) => record.kind === "region").length,
      ],
      ["views and captions with less in them", slimmed.filter(isWorded).length],
      [
        "views with smaller pictures",
        slimmed.filter((one) => isWorded(one) && one.blobs !== undefined).length,
      ],
      ["places with fewer lines", slimmed.filter(({ record }) => record.kind === "place").length],
      ["past versions that changed nothing", past.length],
      ["looks between two others", sightings.length],
      ["things passed, and passed again", passes.length],
    ].flatMap(([what, n]) => (n === 0 ? [] : [`${what}: ${n}`])),
    ...counts.filter(([, n]) => n > 0).map(([kind, n]) => `${kind}s given up: ${n}`),
    ...Object.entries(kept).map(([why, n]) => `kept, ${why}: ${n}`),
    ...evictions.slice(0, most).map(({ id, kind, utility, why, bytes }) => {
      const worth = utility === undefined ? "" : `, worth ${utility.toFixed(2)}`;
      return `  ${kind} ${id}: ${why}${worth}, ${Math.round(bytes)} bytes`;
    }),
    ...(evictions.length > most ? [`  and ${evictions.length - most} more`] : []),
  ].join("\n");
}
