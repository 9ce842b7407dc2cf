import type { RobotClock } from "../../compose.ts";

/** A clock in words: "the clock of robot-2 is 10 min 0.0 s ahead of the memory's (± 0.1 s)". */
export function clockLine({ agentId, aheadUs, sdUs, driftPpm }: RobotClock): string {
  const drift = driftPpm === undefined ? "" : `, and gains ${driftPpm.toFixed(0)} µs a second`;
  return `the clock of ${agentId} is ${offText(aheadUs)} the memory's (± ${(sdUs / 1e6).toFixed(1)} s)${drift}`;
}

export function offText(aheadUs: number): string {
  const seconds = Math.abs(aheadUs) / 1e6;
  const minutes = Math.floor(seconds / 60);
  const rest = `${(seconds - 60 * minutes).toFixed(1)} s`;
  return `${minutes > 0 ? `${minutes} min ${rest}` : rest} ${aheadUs < 0 ? "behind" : "ahead of"}`;
}
