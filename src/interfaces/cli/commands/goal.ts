import { localFace, openRobot } from "../../../compose.ts";
import { LociError, WORLD_FRAME } from "../../../schema/index.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface GoalOptions extends MemoryOptions {
  readonly scene?: string;
  readonly frame?: string;
  readonly agent?: string;
  /** In hours. */
  readonly staleAfter?: number;
  /** The rosbridge that the goal is sent to. */
  readonly robot?: string;
  /** Waits until Nav2 reports arrival. */
  readonly drive?: boolean;
}

/** Prints where a robot has to stand to see a thing or to be in a place; sends it to a robot if one is named. */
export async function run(options: GoalOptions, terminal: Terminal, to: string): Promise<void> {
  if (options.drive && options.robot === undefined)
    throw new LociError("invalid-input", "--drive needs a robot: --robot ws://HOST:9090");
  await withMemory(options, { create: false }, async (memory) => {
    const face = localFace(memory, { id: "local", labels: "*" });
    const found = await face.goal({
      to,
      ...(options.scene !== undefined && { scene: options.scene }),
      ...(options.frame !== undefined && { frame: options.frame }),
      ...(options.agent !== undefined && { agent: options.agent }),
      ...(options.staleAfter !== undefined && { staleAfterS: options.staleAfter * 3600 }),
    });
    if (found.goal === null)
      throw new LociError("unknown-id", `no way to “${to}” is known, so there is no place to stand`);
    const { position: p, yawRad, frame, stale, pathM } = found.goal;
    const outcome = options.robot === undefined ? undefined : await told(found.goal, options, terminal);
    const degrees = Math.round((yawRad * 180) / Math.PI);
    terminal.result({ ...found, ...(outcome && { outcome }) }, () =>
      [
        `${found.to.name ?? to}: ${p.x.toFixed(2)}, ${p.y.toFixed(2)}, facing ${degrees}°${frame === WORLD_FRAME ? "" : ` in ${frame}`}`,
        ...(pathM === undefined ? [] : [`${pathM.toFixed(1)} m${found.agent ? ` from ${found.agent}` : ""}`]),
        ...(stale === undefined ? [] : [stale]),
        ...(outcome === undefined ? [] : [outcome]),
      ].join("; "),
    );
  });
}

async function told(
  goal: Parameters<Awaited<ReturnType<typeof openRobot>>["publishGoal"]>[0],
  { robot: url, drive }: GoalOptions,
  terminal: Terminal,
): Promise<string> {
  const robot = await openRobot({ url: url! });
  try {
    if (drive) return await robot.drive(goal, { signal: terminal.signal });
    await robot.publishGoal(goal);
    return "sent";
  } finally {
    await robot.close();
  }
}
