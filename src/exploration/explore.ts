import { Random } from "../geometry/index.ts";
import {
  type Consultation,
  contentId,
  isLociError,
  LociError,
  RUN_VERSION,
  type Switches,
} from "../schema/index.ts";
import { Exploration } from "./exploration.ts";
import { Explorer } from "./explorer.ts";
import { Guide } from "./guide/guide.ts";
import type { Explored, ExploreOptions } from "./options.ts";

export const ALL_SWITCHES: Switches = { planner: true, stopping: true, answering: true };
const MAX_AGENTS = 64;

/**
 * Answers a question by exploring if the memory does not know the answer: asks the memory first, and moves only for
 * what is missing. Always ends within its budget and says why. What was seen stays in the memory.
 */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const { question, bodies, site, budget, policy = "memory", mode = "loci", signal, seed = 1 } = options;
  if (question.trim() === "")
    throw new LociError("invalid-input", "a question has at least one word; got an empty one");
  if (bodies.length === 0 || bodies.length > MAX_AGENTS)
    throw new LociError("invalid-input", `expected 1 to ${MAX_AGENTS} bodies, got ${bodies.length}`);
  const switches = { ...ALL_SWITCHES, ...options.switches };
  const explorers: Explorer[] = [];
  let failed: string | undefined;
  for (const body of bodies) {
    const at = await Explorer.firstWhereabouts(body, options.answerMs, signal).catch((error: unknown) => {
      if (!isLociError(error)) throw error;
      failed = error.message;
      return undefined;
    });
    if (at) explorers.push(new Explorer(body, at, options.answerMs));
  }
  const task = options.task ?? "answer";
  const guide = new Guide({
    ...options.guidance,
    question: task === "navigate" ? `Where is ${question}?` : question,
    options: options.options,
    task,
    switches,
    isPaper: mode === "paper",
  });
  const tell = options.onLine ?? (() => undefined);
  const [asked] = explorers;
  if (asked === undefined || asked.body !== bodies[0])
    return {
      end: signal?.aborted ? "cancelled" : "body-failed",
      why: failed ?? "no body answered",
      answer: null,
      steps: 0,
      pathM: {},
      seconds: 0,
      looked: [],
    };
  tell({
    kind: "run",
    version: RUN_VERSION,
    id: contentId("run", question, policy, String(seed), asked.id, String(asked.at.timeUs)),
    question,
    ...(options.options && { options: [...options.options] }),
    task,
    policy,
    mode,
    ...(guide.isAnswering && { system: guide.system }),
    ...(guide.modelId !== undefined && { model: guide.modelId }),
    agents: explorers.map(({ id, at }) => ({
      id,
      start: { position: at.positionInWorld, yawRad: at.yawRad },
    })),
    budget,
    switches,
    place: { family: "site", ...options.place },
    sceneId: site.memory.sceneId,
    startedUs: Math.round(asked.at.timeUs),
  });
  const explored = await new Exploration(
    {
      ...options,
      policy,
      switches,
      task,
      guide,
      random: new Random(`explore/${seed}`),
      tell,
    },
    explorers,
  ).run();
  tell({
    kind: "end",
    end: explored.end,
    why: explored.why,
    answer: explored.answer,
    steps: explored.steps,
    pathM: { ...explored.pathM },
    seconds: explored.seconds,
    looked: [...explored.looked],
    ...lastConsulted(guide.consulted()),
  });
  return explored;
}

function lastConsulted(consulted: readonly Consultation[]): { consulted?: Consultation[] } {
  return consulted.length > 0 ? { consulted: consulted.slice(-8) } : {};
}
