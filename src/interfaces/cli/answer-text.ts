import { type AnswerRecord, WORLD_FRAME } from "../../schema/index.ts";
import { countOf, faint, strong, timeText } from "./terminal.ts";

const SHOWN_EVIDENCE = 6;

/** The answer as a person reads it. */
export function answerText(answer: AnswerRecord): string {
  const choice = answer.choice === undefined ? "" : `${answer.choice}: `;
  const sure = `${Math.round(answer.confidence * 100)} %`;
  const status = [
    answer.status !== "answered" && answer.status,
    // A refusal, or an answer to a question not understood, has no confidence.
    answer.status !== "insufficient" && sure,
  ].filter(Boolean);
  return `${strong(`${choice}${answer.text || "I cannot say."}`)}  ${faint(`(${status.join(", ")})`)}`;
}

/** The answer, its evidence, and an explanation if requested. */
export function wholeAnswer(answer: AnswerRecord, explain: boolean): string[] {
  return [answerText(answer), ...evidenceLines(answer).map(faint), ...(explain ? traceLines(answer) : [])];
}

/** The evidence, a line each, and where to go to check it. */
export function evidenceLines(
  { evidence, contradictions, navGoal }: AnswerRecord,
  most = SHOWN_EVIDENCE,
): string[] {
  const lines = evidence.slice(0, most).map(({ why, atUs, agentId, position, ref }) => {
    const where = position
      ? ` at ${position.x.toFixed(1)}, ${position.y.toFixed(1)}, ${position.z.toFixed(1)}`
      : "";
    return `  ${timeText(atUs)}  ${why}${where}  by ${agentId}  [${ref}]`;
  });
  if (evidence.length > most) lines.push(`  and ${evidence.length - most} more`);
  for (const contradiction of contradictions) lines.push(`  but ${contradiction}`);
  if (navGoal) {
    const { position, yawRad, pathM, name, stale, frame } = navGoal;
    lines.push(
      `  go to ${position.x.toFixed(2)}, ${position.y.toFixed(2)}, facing ${((yawRad * 180) / Math.PI).toFixed(0)}°${frame === WORLD_FRAME ? "" : ` in ${frame}`}${name === undefined ? "" : ` for the ${name}`}${pathM === undefined ? "" : `, ${pathM.toFixed(1)} m`}${stale === undefined ? "" : `; ${stale}`}`,
    );
  }
  return lines;
}

type Trace = AnswerRecord["trace"];
type Round = Trace["rounds"][number];

/** How the answer came about, for a person: what was understood, then each step with what came of it. */
function traceLines({ trace }: AnswerRecord): string[] {
  const { notation = [], expressions = [], reading, others = [], notes = [] } = (trace.plan ?? {}) as Plan;
  return [
    "how it was answered",
    ...notation.map((text) => `  understood as ${text}`),
    ...expressions.map((expression) => `    ${JSON.stringify(expression)}`),
    ...(reading ? [`    read with ${Math.round(reading.p * 100)} %, cost ${reading.cost.toFixed(2)}`] : []),
    ...others.map(({ notation: other, cost }) => `  or as ${other.join("; ")} (cost ${cost.toFixed(2)})`),
    ...trace.rounds.flatMap((round, n) => roundLines(round, n + 1)),
    ...notes.map((note) => `  note: ${note}`),
    `  ${[...usageParts(trace), ...Object.entries(trace.ms).map(([stage, ms]) => `${stage} ${msText(ms)}`)].join(", ")}`,
  ];
}

interface Plan {
  readonly notation?: readonly string[];
  readonly expressions?: readonly unknown[];
  readonly reading?: { readonly p: number; readonly cost: number };
  readonly others?: readonly { readonly notation: readonly string[]; readonly cost: number }[];
  readonly notes?: readonly string[];
}

/** One step: what was done, what came of it, and what was turned away. */
function roundLines(round: Round, number: number): string[] {
  const { cues, rejected, ms } = round;
  const took = ms === undefined ? "" : ` (${msText(ms)})`;
  const more = cues.length - SHOWN_EVIDENCE;
  return [
    `  ${number}. ${stepText(round)}${took}`,
    ...shownCues(round).map((cue) => `       ${cue}`),
    ...(more > 0 ? [`       and ${more} more`] : []),
    ...rejected.map(
      ({ reason, count }) => `       turned away: ${reason}${count > 1 ? `, ${count} times` : ""}`,
    ),
  ];
}

/** The searches of a round, a line each; what only repeats the question is left out. */
function shownCues({ strategy = "", cues }: Round): string[] {
  const said = ["model/keys", "model/tools", "model/broaden", "model/look"].includes(strategy);
  return said ? cues.slice(0, SHOWN_EVIDENCE).map((cue) => callText(cue).slice(0, 160)) : [];
}

function stepText({ strategy = "", broadened, found, added, sufficient, cues }: Round): string {
  const records = `${countOf(found, "record")}, ${added} of them new`;
  switch (strategy) {
    case "model/answerability":
      return sufficient ? "the model answered from what is in view" : "the model needs the memory for it";
    case "model/keys":
      return `searched by what the question names: ${records}`;
    case "model/tools":
      return `the model searched: ${records}`;
    case "model/broaden":
      return `looked wider, step ${broadened}: ${records}`;
    case "model/look":
      return `showed the model ${countOf(found, "picture")}`;
    case "model/answer":
      return `the model said “${cues[0] ?? ""}”: ${sufficient ? `borne out by ${countOf(found, "record")}` : "not borne out, or not found"}`;
    case "model/confidence":
      return cues[0] ?? "asked how sure it is";
    case "model/failed":
      return "the model failed; the rules went on";
  }
  const bySystem = systemStep(strategy, found, cues);
  if (bySystem !== undefined) return bySystem;
  if (strategy.startsWith("model/")) return `searched by the plan of ${strategy.slice(6)}: ${records}`;
  const wider = broadened > 0 ? `, ${broadened} wider` : "";
  // Rules count their searches here, and captions what they read.
  return `${strategy}${wider}: ${countOf(added, "search").replace(/searchs$/, "searches")}, ${countOf(found, "piece")} of evidence, ${sufficient ? "enough" : "not enough"}`;
}

/** A step of a paper's system: "star/star/keyframes" is a search by its own plan, "star/answer-writer" a prompt of it. */
function systemStep(strategy: string, found: number, cues: readonly string[]): string | undefined {
  const [system = "", step = ""] = strategy.split(/\/(.*)/s);
  if (step === "model-failed") return `the model failed; ${system} reads its evidence without one`;
  if (step.split("/")[0] === system) return `searched by the plan ${step}: ${countOf(found, "record")}`;
  if (!PAPERS.has(system) || step === "") return undefined;
  const shown = found > 0 ? `, shown ${countOf(found, "picture")}` : "";
  return `${step}${shown}: the model said “${(cues[0] ?? "").slice(0, 160)}”`;
}

/** Papers whose systems send prompts of their own. */
const PAPERS = new Set(["star", "memory-eqa", "embodied-rag", "r-eqa"]);

/** `search_near {"id":"x","radiusM":2}` as a person reads it. */
function callText(cue: string): string {
  const [, tool, json] = /^(\w+) (\{.*\})$/s.exec(cue) ?? [];
  if (tool === undefined || json === undefined) return cue;
  try {
    const fields = Object.entries(JSON.parse(json) as Record<string, unknown>);
    const parts = fields.map(
      ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    return `${tool}: ${parts.join(", ")}`;
  } catch {
    return cue;
  }
}

/** What the language model was used for, and its cost. */
function usageParts({ plan, models, tokens }: Trace): string[] {
  const usage = (plan as { usage?: { calls: number; costUsd: number } } | undefined)?.usage;
  if (usage === undefined) return [];
  const cost = usage.costUsd > 0 ? [`${usage.costUsd.toFixed(4)} dollars`] : [];
  return [
    `${models["reasoner"]}: ${countOf(usage.calls, "call")}`,
    `${(tokens ?? 0).toLocaleString("en")} tokens`,
    ...cost,
  ];
}

const msText = (ms: number) => (ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`);
