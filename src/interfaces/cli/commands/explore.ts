import {
  Expedition,
  exploreHouse,
  type GuidanceRequest,
  guidanceOf,
  type Memory,
  openEyes,
  RunRecorder,
} from "../../../compose.ts";
import { LociError, type PolicyName, type RunLine } from "../../../schema/core.ts";
import { type ModelOptions, usageLines, withModels } from "../models.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import { drawStep } from "../run-picture.ts";
import { countOf, type Terminal } from "../terminal.ts";

export interface ExploreCommandOptions extends MemoryOptions, ModelOptions {
  readonly seed: string;
  readonly rooms?: number;
  readonly floors: "1" | "2";
  readonly noise: number;
  readonly agents: number;
  readonly policy: PolicyName;
  readonly mode: "loci" | "paper";
  readonly budget?: number;
  readonly metres?: number;
  readonly without?: string[];
  readonly record?: string;
  readonly watch?: boolean;
  readonly question?: string;
  readonly options?: string[];
  /** A rosbridge; what follows is of its robot. */
  readonly robot?: string;
  /** A body over WebSocket; what follows is of it too. */
  readonly body?: string;
  readonly drive?: "nav2" | "velocity";
  readonly detector?: string;
  readonly classes?: string[];
  readonly fence?: readonly { readonly x: number; readonly y: number }[];
  readonly maxSpeed?: number;
  readonly maxDoubt?: number;
  /** The system that gives the final answer. */
  readonly system?: string;
  readonly modelCalls?: number;
  readonly modelTokens?: number;
  readonly modelSeconds?: number;
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
  const { seed, rooms, floors, noise, agents, policy, mode, budget, metres, record, without = [] } = options;
  const unknown = without.find((name) => !(MODULES as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new LociError("invalid-input", `--without takes ${MODULES.join(", ")}; got "${unknown}"`);
  if (!(noise >= 0 && noise <= 1)) throw new LociError("invalid-input", `--noise takes 0 to 1; got ${noise}`);
  const { found, usage } = await guidedBy(options, terminal, (guidance) =>
    withMemory(options, { create: true }, (memory) => {
      if (options.robot !== undefined || options.body !== undefined)
        return byRobot(memory, options, terminal, { task, question, guidance });
      return recorded(memory, record, watching(options.watch === true, terminal), (onLine) =>
        exploreHouse(memory, {
          ...guidance,
          question,
          task,
          seed,
          noise,
          agents,
          policy,
          mode,
          floors: Number(floors),
          ...(rooms !== undefined && { rooms }),
          ...(options.options && { options: options.options }),
          ...(record !== undefined && { record }),
          budget: {
            ...(budget !== undefined && { steps: budget }),
            ...(metres !== undefined && { pathM: metres }),
          },
          switches: Object.fromEntries(MODULES.map((name) => [name, !without.includes(name)])),
          signal: terminal.signal,
          onLine,
        }),
      );
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
      ...usage,
    ].join("\n");
  });
}

/** Opens the model and tries it before anything is opened or moves; what it used up comes with the result. */
async function guidedBy<T>(
  options: ExploreCommandOptions,
  terminal: Terminal,
  work: (guidance: GuidanceRequest) => Promise<T>,
): Promise<{ found: T; usage: string[] }> {
  const { system, modelCalls: calls, modelTokens: tokens, modelSeconds } = options;
  return withModels(options, "ask", terminal, async (models) => {
    const guidance: GuidanceRequest = {
      models,
      ...(system !== undefined && { system: system as NonNullable<GuidanceRequest["system"]> }),
      modelBudget: {
        ...(calls !== undefined && { calls }),
        ...(tokens !== undefined && { tokens }),
        ...(modelSeconds !== undefined && { timeMs: modelSeconds * 1000 }),
      },
    };
    await guidanceOf(guidance);
    await models.check(terminal.signal);
    return { found: await work(guidance), usage: usageLines(models) };
  });
}

/** Sends a robot to look, within its guard. */
async function byRobot(
  memory: Memory,
  options: ExploreCommandOptions,
  terminal: Terminal,
  asked: {
    readonly task: "answer" | "navigate";
    readonly question: string;
    readonly guidance: GuidanceRequest;
  },
): ReturnType<Expedition["explore"]> {
  const { question, task, guidance } = asked;
  if (options.robot !== undefined && options.body !== undefined)
    throw new LociError("invalid-input", "expected one of --robot and --body, got both");
  const { robot, body, drive: by, detector, classes, policy, mode, budget, metres } = options;
  const { fence, maxSpeed: maxSpeedMps, maxDoubt: maxSdM } = options;
  const eyes = await openEyes({ detector, classes, environment: process.env });
  try {
    const expedition = new Expedition(memory, {
      url: (body ?? robot)!,
      speaks: body === undefined ? "rosbridge" : "body",
      by,
      eyes,
      guard: { fence, maxSpeedMps, maxSdM, maxPathM: metres },
    });
    const limits = {
      ...(budget !== undefined && { steps: budget }),
      ...(metres !== undefined && { pathM: metres }),
    };
    return await expedition.explore(
      { ...guidance, question, task, policy, mode, budget: limits, record: options.record },
      { signal: terminal.signal, onLine: watching(options.watch === true, terminal) },
    );
  } finally {
    await eyes?.close();
  }
}

/** Beside the memory, for replay, unless a file was named. */
async function recorded<T>(
  memory: Memory,
  file: string | undefined,
  watch: (line: RunLine) => void,
  work: (onLine: (line: RunLine) => void) => Promise<T>,
): Promise<T> {
  if (file !== undefined) return work(watch);
  const recorder = new RunRecorder(memory.folder);
  try {
    return await work((line) => {
      recorder.tell(line);
      watch(line);
    });
  } finally {
    await recorder.close();
  }
}

/** Draws the map at each step, or prints it as a line. */
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
