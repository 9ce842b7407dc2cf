import type { Retrieved } from "./retrieve.ts";

const SHOWN = 3;

/** A retrieval for a person to read: what each step did, what it cost, and what it turned away. */
export function explain({ plan, trace, items, weak }: Retrieved): string {
  const lines = [
    `plan ${plan.title}: ${items.length} items, ${trace.tokens} tokens, ${trace.totalMs.toFixed(1)} ms${weak ? ", weak" : ""}`,
  ];
  for (const { as, op, ms, items: out, touched, rejected, rejectedCount, notes } of trace.steps) {
    lines.push(`  ${as}: ${op} → ${out}${touched > 0 ? ` of ${touched}` : ""} (${ms.toFixed(1)} ms)`);
    for (const note of notes) lines.push(`      ${note}`);
    for (const { id, why } of rejected.slice(0, SHOWN)) lines.push(`      − ${id}: ${why}`);
    if (rejectedCount > SHOWN) lines.push(`      − ${rejectedCount - Math.min(SHOWN, rejected.length)} more`);
  }
  const stages = Object.entries(trace.stages).map(([stage, ms]) => `${stage} ${ms.toFixed(1)}`);
  lines.push(`  ms by stage: ${stages.join(", ")}`);
  return lines.join("\n");
}
