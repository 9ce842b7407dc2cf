import { exploreHouse } from "../../../compose.ts";
import { LociError, type PolicyName, type RunLine } from "../../../schema/core.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import { drawStep } from "../run-picture.ts";
import { countOf, type Terminal } from "../terminal.ts";

export interface ExploreCommandOptions extends MemoryOptions {
  readonly seed: string;
  readonly rooms?: number;
  readonly noise: number;
  readonly agents: number;
  readonly policy: PolicyName;
  readonly budget?: number;
  readonly metres?: number;
  readonly without?: string[];
  readonly record?: string;
  readonly watch?: boolean;
  readonly question?: string;
  readonly options?: string[];
}

const MODULES = ["planner", "stopping", "answering"] as const;

export function run(options: ExploreCommandOptions, terminal: Terminal): Promise<void> {
  return goAndLook(options, terminal, "answer", options.question ?? "");
}

/** The common part of `explore` and `navigate`. */
export async function goAndLook(
  options: ExploreCommandOptions,
  terminal: Terminal,
  task: "answer" | "navigate",
  question: string,
): Promise<void> {
  const { seed, rooms, noise, agents, policy, budget, metres, record, without = [] } = options;
  const unknown = without.find((name) => !(MODULES as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new LociError("invalid-input", `--without takes ${MODULES.join(", ")}; got "${unknown}"`);
  if (!(noise >= 0 && noise <= 1)) throw new LociError("invalid-input", `--noise takes 0 to 1; got ${noise}`);
  const found = await withMemory(options, { create: true }, (memory) =>
    exploreHouse(memory, {
      question,
      task,
      seed,
      noise,
      agents,
      policy,
      ...(rooms !== undefined && { rooms }),
      ...(options.options && { options: options.options }),
      ...(record !== undefined && { record }),
      budget: {
        ...(budget !== undefined && { steps: budget }),
        ...(metres !== undefined && { pathM: metres }),
      },
      switches: Object.fromEntries(MODULES.map((name) => [name, !without.includes(name)])),
      signal: terminal.signal,
      onLine: watching(options.watch === true, terminal),
    }),
  );
  terminal.result(found, () => {
    const { answer, end, why, steps, pathM, looked } = found;
    const ways = Object.entries(pathM).map(([id, m]) => `${id} ${m.toFixed(1)} m`);
    const rooms = looked.map(({ room, share }) => `${room} ${Math.round(share * 100)} %`);
    return [
      answer === null || answer.text === "" ? "No answer." : answer.text,
      `${end}: ${why} (${countOf(steps, "step")}, ${ways.join(", ")}${answer ? `, sure to ${Math.round(answer.confidence * 100)} %` : ""})`,
      ...(rooms.length > 0 ? [`looked at: ${rooms.join(", ")}`] : []),
    ].join("\n");
  });
}

/** Draws the map at each step, or tells it in a line. */
function watching(isDrawn: boolean, terminal: Terminal): (line: RunLine) => void {
  let map: Extract<RunLine, { kind: "map" }> | undefined;
  return (line) => {
    if (line.kind === "map") map = line;
    if (line.kind !== "step") return;
    const told = `step ${line.n}, ${line.agentId}: ${line.decision.kind}, ${line.decision.reason}; ${line.pathM.toFixed(1)} m; ${line.belief?.text ?? ""}`;
    if (isDrawn && map) terminal.note(drawStep(map, line));
    else terminal.progress(told);
  };
}
