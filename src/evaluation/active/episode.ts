import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { siteMemoryOf } from "../../compose/explore.ts";
import { openMemory } from "../../compose/memory.ts";
import { type Explored, explore, type Guidance, Site } from "../../exploration/index.ts";
import type { PolicyName, QuestionRecord, RunLine, Switches } from "../../schema/index.ts";
import type { Body, Went } from "../../sensors/index.ts";
import type { SimulatedBody } from "../../world/agents/index.ts";
import { LiveHouse } from "../../world/live-house.ts";
import type { ActiveHouse } from "./house.ts";
import { isReversed } from "./reversed.ts";

/** One explorer configuration in the comparison. */
export interface Explorers {
  readonly name: string;
  readonly policy: PolicyName;
  readonly switches?: Partial<Switches> | undefined;
  readonly mode?: "loci" | "paper" | undefined;
  /** The system of the final answer; default our rules. */
  readonly system?: Guidance["system"];
  /** Whether the memory is kept between questions of a house; otherwise every question starts with an empty one. */
  readonly keepsMemory: boolean;
  /** The asked agent, and helpers. */
  readonly agents?: number | undefined;
  /** Step limit for every question after the first, to test what earlier observations are worth. */
  readonly laterSteps?: number | undefined;
}

/** One question and its exploration. */
export interface Episode {
  readonly seed: string;
  readonly questionId: string;
  readonly explorers: string;
  /** Index of the question in its house, from 0. */
  readonly nth: number;
  readonly isAnswerable: boolean;
  readonly subtype: string;
  readonly success: boolean;
  /** The offline judge's mark (1–5) as 0 … 1. */
  readonly match: number;
  /** Metres of the asked agent, of all agents, and of the shortest walk. */
  readonly pathM: number;
  readonly teamM: number;
  readonly leastM: number;
  readonly steps: number;
  /** steps / (3·√S) (docs/formulas.md#normalised-steps). */
  readonly normSteps: number;
  readonly goals: number;
  readonly reversed: number;
  readonly end: string;
  /** Correct, and supported by a record at the true place of one of the targets: right for the right reason. */
  readonly isConsistent: boolean;
  /** Share of the rooms that was observed, for absent targets. */
  readonly lookedShare: number;
  readonly seconds: number;
  readonly ms: number;
  /** CPU time of all threads, unaffected by other load on the machine. */
  readonly cpuMs: number;
  readonly planMs: number;
  readonly moves: number;
}

const PER_ROOT_M2 = 3;
const METRES_A_STEP = 3;

export interface RunOptions {
  readonly folder: string;
  readonly noise: number;
  readonly signal?: AbortSignal | undefined;
  /** A model that takes part, for all explorers. */
  readonly guidance?: Guidance | undefined;
  /** Called for every finished question with its run lines. */
  readonly onEpisode?:
    | ((question: ActiveHouse["questions"][number], lines: readonly RunLine[], explored: Explored) => void)
    | undefined;
}

/** Runs the questions of one house with one explorer, in order. */
export async function runHouse(
  house: ActiveHouse,
  explorers: Explorers,
  options: RunOptions,
): Promise<Episode[]> {
  const episodes: Episode[] = [];
  const folder = await mkdtemp(join(options.folder, "house-"));
  try {
    let memory = await openMemory(join(folder, "0"));
    let startUs = house.startUs;
    for (const [nth, question] of house.questions.entries()) {
      if (!explorers.keepsMemory && nth > 0) {
        await memory.close();
        memory = await openMemory(join(folder, String(nth)));
        startUs = house.startUs;
      }
      const place = await siteMemoryOf(memory, { keepsViews: false });
      const site = await Site.open(place, startUs);
      const { episode, endUs } = await runOne(house, question, nth, explorers, site, startUs, options);
      await site.close();
      await place.close();
      startUs = endUs + 60_000_000;
      episodes.push(episode);
    }
    await memory.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return episodes;
}

async function runOne(
  { seed, timeline, areaM2 }: ActiveHouse,
  question: ActiveHouse["questions"][number],
  nth: number,
  explorers: Explorers,
  site: Site,
  startUs: number,
  { noise, signal, guidance, onEpisode }: RunOptions,
): Promise<{ episode: Episode; endUs: number }> {
  const house = new LiveHouse({ timeline, noise, seed: `${seed}/${nth}` });
  const { record, leastM, route } = question;
  const start = { positionInWorld: record.start!.position, yawRad: record.start!.yawRad };
  const agents = explorers.agents ?? 1;
  const bodies = Array.from({ length: agents }, (_, n) =>
    house.body(`robot-${n + 1}`, { start: n === 0 ? start : house.start(n), startUs }),
  );
  let moves = 0;
  const count = (went: Went): void => {
    moves += movesOf(went);
  };
  const allSteps = Math.max(1, Math.floor(PER_ROOT_M2 * Math.sqrt(areaM2)));
  const budgetSteps = nth === 0 ? allSteps : (explorers.laterSteps ?? allSteps);
  const lines: RunLine[] = [];
  const [began, used] = [performance.now(), process.cpuUsage()];
  const explored = await explore({
    question: record.text,
    options: record.options,
    site,
    bodies: bodies.map((body) => counted(body, count)),
    policy: explorers.policy,
    switches: explorers.switches,
    mode: explorers.mode,
    guidance: { ...guidance, ...(explorers.system && { system: explorers.system }) },
    seed: `${seed}/${nth}`,
    budget: { steps: budgetSteps, pathM: METRES_A_STEP * budgetSteps, seconds: 3600 },
    ...(explorers.policy === "oracle" && { route }),
    onLine: (line) => lines.push(line),
    signal,
  });
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  onEpisode?.(question, lines, explored);
  const steps = lines.filter((line) => line.kind === "step" && line.agentId === "robot-1");
  const verdict = verdictOf(record, explored.answer);
  const reversal = isReversed(lines);
  const plans = lines.flatMap((line) => (line.kind === "step" ? [line.planMs] : []));
  return {
    endUs: Math.max(...bodies.map(({ truth }) => truth.timeUs)),
    episode: {
      seed: String(seed),
      questionId: record.id,
      explorers: explorers.name,
      nth,
      isAnswerable: record.answerable,
      subtype: record.subtype,
      ...verdict,
      pathM: explored.pathM["robot-1"] ?? 0,
      teamM: Object.values(explored.pathM).reduce((sum, m) => sum + m, 0),
      leastM,
      steps: steps.length,
      normSteps: steps.length / (PER_ROOT_M2 * Math.sqrt(areaM2)),
      goals: reversal.goals,
      reversed: reversal.reversed,
      end: explored.end,
      isConsistent: verdict.success && restsOnTargets(record, explored.answer, timeline, startUs),
      lookedShare: explored.looked.length === 0 ? 0 : Math.min(...explored.looked.map(({ share }) => share)),
      seconds: explored.seconds,
      ms,
      cpuMs: (user + system) / 1000,
      planMs: plans.length === 0 ? 0 : Math.max(...plans),
      moves,
    },
  };
}

/** Allowed distance of a remembered thing from its true place. */
const SAME_PLACE_M = 1;

/** Whether the answer's evidence is right: a record at a target's place; any record, if no target has a place. */
function restsOnTargets(
  { targets }: QuestionRecord,
  answer: Explored["answer"],
  timeline: ActiveHouse["timeline"],
  atUs: number,
): boolean {
  const evidence = answer?.evidence ?? [];
  const places = targets.flatMap((id) => timeline.placementAt(id, atUs)?.centre ?? []);
  if (places.length === 0) return evidence.length > 0;
  return evidence.some(
    ({ position }) =>
      position && places.some(({ x, y }) => Math.hypot(x - position.x, y - position.y) <= SAME_PLACE_M),
  );
}

/** Moves as simulators count them: a quarter of a metre forward or thirty degrees to a side. */
function movesOf({ pathM, turnRad }: Went): number {
  return Math.ceil(pathM / 0.25) + Math.ceil(turnRad / (Math.PI / 6));
}

/** A body that counts all drives and turns, including those for looking round. */
function counted(body: SimulatedBody, count: (went: Went) => void): Body {
  const noted = async (drive: Promise<Went>): Promise<Went> => {
    const went = await drive;
    count(went);
    return went;
  };
  return {
    agentId: body.agentId,
    model: body.model,
    whereabouts: (limits) => body.whereabouts(limits),
    look: (limits) => body.look(limits),
    go: (to, limits) => noted(body.go(to, limits)),
    climb: (flight, limits) => noted(body.climb(flight, limits)),
  };
}

/** Correct: the letter or, for false premises, that it is said. Half credit for the right words without the letter. */
function verdictOf(
  { answer: truth, answerable, options }: QuestionRecord,
  answer: { readonly status: string; readonly choice?: string | undefined; readonly text: string } | null,
): { success: boolean; match: number } {
  if (answer === null) return { success: false, match: 0 };
  if (!answerable) {
    const success = answer.status !== "answered" && answer.status !== "ambiguous";
    return { success, match: success ? 1 : 0 };
  }
  const letter = truth.type === "choice" ? truth.letter : undefined;
  const success = answer.status === "answered" && answer.choice === letter;
  const said = options?.[(letter ?? "A").charCodeAt(0) - 65]?.toLowerCase();
  const isNear = said !== undefined && answer.text.toLowerCase().includes(said.replace(/^the /, ""));
  return { success, match: success ? 1 : isNear ? 0.5 : 0 };
}
