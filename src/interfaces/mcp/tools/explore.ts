import { z } from "zod";
import type { Actor, Expedition, ExpeditionRequest } from "../../../compose.ts";
import { quoted, seen } from "../../../operations/world-text.ts";
import { SYSTEM_NAMES } from "../../../schema/index.ts";
import { pageResult } from "../answer.ts";
import { type Tool, type ToolCall, tool, upTo, words } from "../tool.ts";
import { answerData, answerLines, evidenceRow } from "./answered.ts";

/** Explores on an agent's behalf: a robot within its guard. */
export type Explores = Pick<Expedition, "explore">;

const limits = {
  maxSteps: upTo(1_000).optional(),
  maxMetres: upTo(10_000).optional().describe("driven in all"),
  maxSeconds: upTo(86_400).optional(),
};
/** The same words as `loci explore` has for them. */
const asking = {
  system: z.enum(SYSTEM_NAMES).optional().describe("who answers in the end, in place of the default"),
  mode: z.enum(["loci", "paper"]).optional().describe("paper: frontiers alone, stopping by confidence"),
};
const STEPS = 60;
const MAX_EVIDENCE = 12;

/** The tools that move a robot; offered where there is one, and answered as the caller may see. */
export function explorationTools(robot: Explores, actor: Actor): Tool[] {
  return [
    tool({
      name: "explore",
      description:
        "Find something out by sending the robot to look, if the memory does not know it already. Takes minutes: reports progress, can be cancelled (the robot stops), ends within its limits and says why. Ask first; explore only for what ask does not know.",
      does: "write",
      needs: ["read", "write"],
      isLong: true,
      onMap: true,
      input: z.strictObject({ question: words(1_000), ...limits, ...asking }),
      run: ({ question, system, mode, ...given }, call) =>
        sent(robot, call, { question, task: "answer", asker: actor, system, mode }, given),
    }),
    tool({
      name: "navigate",
      description:
        "Send the robot to a thing or a place in words, looking for it where the memory does not know it. Takes minutes; as explore.",
      does: "write",
      needs: ["read", "write"],
      isLong: true,
      onMap: true,
      input: z.strictObject({ to: words(256), ...limits }),
      run: ({ to, ...given }, call) =>
        sent(robot, call, { question: to, task: "navigate", asker: actor }, given),
    }),
  ];
}

interface Given {
  readonly maxSteps?: number | undefined;
  readonly maxMetres?: number | undefined;
  readonly maxSeconds?: number | undefined;
}

async function sent(
  robot: Explores,
  { signal, report }: ToolCall,
  asked: Pick<ExpeditionRequest, "question" | "task" | "asker" | "system" | "mode">,
  { maxSteps = STEPS, maxMetres, maxSeconds }: Given,
) {
  const budget = {
    steps: maxSteps,
    ...(maxMetres !== undefined && { pathM: maxMetres }),
    ...(maxSeconds !== undefined && { seconds: maxSeconds }),
  };
  let steps = 0;
  const back = await robot.explore(
    { ...asked, budget },
    {
      signal,
      onLine: (line) => {
        if (line.kind !== "step") return;
        steps = Math.max(steps, line.n + 1);
        report(steps, maxSteps, `${line.decision.kind}: ${seen(line.decision.reason)}`);
      },
    },
  );
  const { end, why, answer, pathM, looked, runId } = back;
  const metres = Object.values(pathM).reduce((sum, m) => sum + m, 0);
  const rooms = looked.map(({ room, share }) => `${quoted(room)} ${Math.round(share * 100)} %`).join(", ");
  return pageResult({
    summary: [
      `[${end}] ${seen(why)}. ${back.steps} steps, ${metres.toFixed(1)} m, ${back.seconds.toFixed(0)} s.`,
      ...(answer ? answerLines(answer) : []),
      ...(rooms === "" ? [] : [`Looked at: ${rooms}.`]),
    ].join("\n"),
    rows: (answer?.evidence ?? []).slice(0, MAX_EVIDENCE).map(evidenceRow),
    data: {
      end,
      why,
      steps: back.steps,
      pathM: Number(metres.toFixed(2)),
      seconds: Math.round(back.seconds),
      looked,
      ...(runId !== null && { runId }),
      ...(answer && answerData(answer)),
    },
  });
}
