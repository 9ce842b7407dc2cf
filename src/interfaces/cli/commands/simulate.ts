import { simulate, simulateWeeks } from "../../../compose.ts";
import { LociError } from "../../../schema/core.ts";
import { countOf, type Terminal } from "../terminal.ts";

export interface SimulateOptions {
  readonly json?: boolean;
  readonly seed: string;
  readonly days: number;
  readonly agents: number;
  readonly minutes: number;
  readonly fps: number;
  readonly size: string;
  readonly noise: number;
  readonly rate?: number;
  readonly rooms?: number;
  readonly floors?: number;
  readonly people?: number;
  readonly out?: string;
  readonly format: "folder" | "mcap" | "db3";
  readonly plain?: boolean;
  readonly questions?: string;
  readonly count?: number;
  readonly wording?: "dev" | "test";
}

/** The recorder's schema judges the values, in one place; here is only what the command line adds. */
export async function run(
  { out, ...options }: SimulateOptions,
  terminal: Terminal,
  family: string,
): Promise<void> {
  if (out === undefined)
    throw new LociError("invalid-input", "simulate needs --out DIR, a folder that is not there yet");
  if (family === "weeks") return runWeeks({ ...options, out }, terminal);
  const { seed, agents, minutes, fps, size, noise, format, questions, count, wording } = options;
  const { rate, rooms, floors, people, plain } = options;
  const asked = {
    ...(plain && { plain }),
    ...(rate !== undefined && { rate }),
    ...(rooms !== undefined && { rooms }),
    ...(floors !== undefined && { floors }),
    ...(people !== undefined && { people }),
    ...(questions !== undefined && { questions: questions as "all" }),
    ...(count !== undefined && { questionCount: count }),
    ...(wording !== undefined && { wording }),
  };
  const summary = await simulate(
    { family: family as "house", seed, agents, minutes, fps, size, noise, format, out, ...asked },
    {
      signal: terminal.signal,
      onProgress: ({ frames, totalFrames, elapsedMs }) => {
        const leftS = (elapsedMs / 1000 / Math.max(frames, 1)) * (totalFrames - frames);
        terminal.progress(`${frames} of ${totalFrames} frames, ${Math.ceil(leftS)} s left`);
      },
    },
  );
  terminal.result(
    summary,
    () =>
      `${countOf(summary.frames, "frame")} of ${countOf(summary.agents, "robot")} in a ${family} of ${countOf(summary.rooms, family === "house" ? "room" : "area")} and ${countOf(summary.things, "thing")}, ${countOf(summary.events, "event")}: ${summary.out}`,
  );
}

async function runWeeks(
  { seed, days, out, count, wording }: SimulateOptions & { out: string },
  terminal: Terminal,
): Promise<void> {
  const summary = await simulateWeeks({
    ...{ seed, days, out, count, wording },
    signal: terminal.signal,
    onProgress: (line) => terminal.progress(line),
  });
  const { rounds, things, looks, questions } = summary;
  terminal.result(
    summary,
    () =>
      `${days === 1 ? "1 day" : `${days} days`} of a household, ${countOf(rounds, "round")} of a robot: ${countOf(things, "thing")}, ${countOf(looks, "look")}, ${countOf(questions, "question")}: ${out} (ask --memory ${out}/memory)`,
  );
}
