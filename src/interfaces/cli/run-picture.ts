import type { RunMap, RunStep } from "../../schema/core.ts";

const MAX_COLUMNS = 100;
/** A character is twice as high as it is wide. */
const ROWS_PER_COLUMN = 2;
const SIGNS = { u: " ", f: "·", o: "█" } as const;
const ARROWS = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"] as const;

/**
 * One step as text: the floor as it is known, the agent as an arrow, its goal as ✕, frontiers as ○ (discarded ones as a
 * point), and what it decided.
 */
export function drawStep(map: RunMap, step: RunStep): string {
  const { width, height, originX, originY, cellM } = map;
  const each = Math.max(1, Math.ceil(width / MAX_COLUMNS));
  const [columns, rows] = [Math.ceil(width / each), Math.ceil(height / (each * ROWS_PER_COLUMN))];
  const picture = Array.from({ length: rows }, () => new Array<string>(columns).fill(" "));
  const rank = { u: 0, f: 1, o: 2 };
  const worst = new Uint8Array(columns * rows);
  let cell = 0;
  for (const [, count, state] of map.runs.matchAll(/(\d+)([ufo])/g)) {
    for (let n = 0; n < Number(count); n++, cell++) {
      const column = Math.floor((cell % width) / each);
      const row = Math.floor(Math.floor(cell / width) / (each * ROWS_PER_COLUMN));
      const at = row * columns + column;
      const now = rank[state as "u" | "f" | "o"];
      if (now < worst[at]!) continue;
      worst[at] = now;
      picture[rows - 1 - row]![column] = SIGNS[state as "u" | "f" | "o"];
    }
  }
  const put = ({ x, y }: { readonly x: number; readonly y: number }, sign: string): void => {
    const column = Math.floor((x - originX) / cellM / each);
    const row = Math.floor((y - originY) / cellM / (each * ROWS_PER_COLUMN));
    const line = picture[rows - 1 - row];
    if (line && column >= 0 && column < columns) line[column] = sign;
  };
  for (const { middle, fate } of step.frontiers) put(middle, fate === "discarded" ? "∘" : "○");
  if (step.decision.goal) put(step.decision.goal.position, "✕");
  put(step.pose.position, ARROWS[Math.round(step.pose.yawRad / (Math.PI / 4)) & 7]!);
  const open = step.checklist.map(({ what, known }) => `${known ? "☑" : "☐"} ${what}`);
  return [
    `step ${step.n}  ${step.agentId}  ${step.pathM.toFixed(1)} m`,
    ...picture.map((line) => line.join("").trimEnd()),
    `${step.decision.kind}: ${step.decision.reason}`,
    ...open.slice(0, 6),
    ...(step.belief
      ? [`so far: ${step.belief.text} (${step.belief.status}, ${step.belief.confidence.toFixed(2)})`]
      : []),
    "",
  ].join("\n");
}
