import type { Vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { Stored } from "../../schema/core.ts";
import type { EvidenceItem } from "./strategy.ts";

/** A record found by a search or a retrieval. */
export interface FoundRecord {
  readonly record: Stored;
  readonly score: number;
  readonly position?: Vec3;
}

/** Records as text for a reasoner, with the tracks that they mention. */
export async function evidenceItems(
  reader: MemoryReader,
  found: readonly FoundRecord[],
): Promise<EvidenceItem[]> {
  const named = [...new Set(found.flatMap(({ record }) => statesOf(record)))];
  const states = named.length === 0 ? [] : await reader.get(named);
  const trackOf = new Map(
    states.flatMap((state) => (state?.kind === "state" ? [[state.id, state.trackId] as const] : [])),
  );
  return found.map(({ record, score, position }) => ({
    ref: record.id,
    kind: record.kind,
    text: wordsOf(record),
    fromUs: record.validFromUs,
    toUs: record.validToUs,
    agentId: record.author,
    score,
    trackIds:
      record.kind === "state"
        ? [record.trackId]
        : record.kind === "track"
          ? [record.id]
          : statesOf(record).flatMap((id) => trackOf.get(id) ?? []),
    ...(position === undefined ? {} : { position }),
  }));
}

function statesOf(record: Stored): readonly string[] {
  if (record.kind === "caption") return record.states;
  return record.kind === "view" ? record.visible.map(({ stateId }) => stateId) : [];
}

/** Its own text; a state without one is described by its name and attributes. */
function wordsOf(record: Stored): string {
  if (record.text.length > 0 || record.kind !== "state") return record.text.join("\n");
  const attributes = Object.entries(record.attributes).map(([key, { value }]) => `${key} ${value}`);
  return [record.name, ...attributes].join(", ");
}
