import { LIMITS, type ReasoningRound } from "../../schema/index.ts";
import { type CallResult, callText } from "./tools.ts";

/** The rounds of one question in the format that rules use too. */
export class TraceBook {
  readonly rounds: ReasoningRound[] = [];

  /** Notes a round of searches. */
  searched(strategy: string, broadened: number, results: readonly CallResult[], ms: number): void {
    const refused = results.flatMap((result) => (result.refused ? [result.refused] : []));
    this.add({
      cues: results.map(({ call }) => callText(call)),
      strategy,
      broadened,
      found: results.reduce((sum, { found }) => sum + found, 0),
      added: results.reduce((sum, { added }) => sum + added, 0),
      rejected: refused,
      ms,
    });
  }

  /** Adds a round; missing fields get empty defaults. */
  add(
    round: Partial<Omit<ReasoningRound, "rejected" | "cues">> & {
      strategy: string;
      rejected?: readonly string[];
      cues?: readonly string[];
    },
  ): void {
    if (this.rounds.length >= 64) return;
    const counts = new Map<string, number>();
    for (const reason of round.rejected ?? []) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    this.rounds.push({
      ...{ broadened: 0, found: 0, added: 0, sufficient: false },
      ...round,
      cues: (round.cues ?? []).slice(0, 64).map((cue) => cue.slice(0, LIMITS.lineChars)),
      rejected: [...counts]
        .slice(0, 64)
        .map(([reason, count]) => ({ reason: reason.slice(0, LIMITS.nameChars), count })),
    });
  }
}
