import { z } from "zod";
import { nameSchema } from "../../../schema/index.ts";
import type { Operator, Scope } from "../operator.ts";
import { spanOf } from "../time/spans.ts";
import { KINDS, type ThingsValue, unknownValue, wordsValue } from "../value.ts";

/** Who is meant by all of them. */
const ALL = "all";

/** The ids that a robot that people call so may have: "robot 2" is robot-2. */
function idsOf(name: string): string[] {
  const parts = name
    .toLowerCase()
    .replace(/(\p{L})(\d)/gu, "$1 $2")
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);
  const last = parts.at(-1) ?? name;
  return [
    ...new Set([
      name,
      parts.join("-"),
      parts.join(" "),
      parts.join("_"),
      parts.join(""),
      `robot-${last}`,
      last,
    ]),
  ];
}

async function agentCalled(name: string, { memory }: Scope): Promise<string | undefined> {
  for (const id of idsOf(name)) {
    const found = await memory.search({ kinds: ["observation"], where: { author: [id] }, limit: 1 });
    if (found.length > 0) return id;
  }
  return undefined;
}

/** So many things, and looks at them, are gone through for who saw them. */
const MOST_ASKED = 60;
const MOST_LOOKS = 2_000;

/** Which robots saw the states, each with what it saw. */
async function seenBy(
  { things }: ThingsValue,
  scope: Scope,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const looks = await scope.memory.options.reader.sightings({
    stateIds: things.slice(0, MOST_ASKED).map(({ state }) => state.id),
    during: spanOf(scope),
    outcomes: ["seen"],
    limit: MOST_LOOKS,
  });
  const byAgent = Map.groupBy(looks, ({ agentId }) => agentId);
  return new Map([...byAgent].map(([agent, own]) => [agent, new Set(own.map(({ stateId }) => stateId))]));
}

/** One robot of several is asked. */
export const byAgent: readonly Operator[] = [
  {
    name: "by",
    says: "the same as one robot of several knows or did it, by its name or id; all: of all of them together",
    takes: [{ name: "what", kinds: KINDS }],
    options: z.strictObject({ agent: nameSchema }),
    gives: "first",
    reads: ["observation"],
    copes: true,
    async run(call) {
      const { agent } = call.options as { readonly agent: string };
      if (agent === ALL) return call.arg(0, { agentId: undefined });
      const agentId = await agentCalled(agent, call.scope);
      if (agentId === undefined) return unknownValue("never-seen", `I know no ${agent}`);
      const pose = await call.scope.memory.poseAt(call.scope.memory.nowUs, agentId);
      return call.arg(0, { agentId, ...(pose && { pose }) });
    },
  },
  {
    name: "witnessed",
    says: "those of a set of things that one robot of several saw, by its name or id",
    takes: [{ name: "set", kinds: ["things"] }],
    options: z.strictObject({ agent: nameSchema }),
    gives: "things",
    reads: ["observation", "state"],
    async run(call) {
      const { agent } = call.options as { readonly agent: string };
      const set = (await call.arg(0)) as ThingsValue;
      const agentId = await agentCalled(agent, call.scope);
      if (agentId === undefined) return unknownValue("never-seen", `I know no ${agent}`);
      const own = (await seenBy(set, call.scope)).get(agentId) ?? new Set();
      return { ...set, things: set.things.filter(({ state }) => own.has(state.id)) };
    },
  },
  {
    name: "witnesses",
    says: "which of several robots saw the things",
    takes: [{ name: "things", kinds: ["things"] }],
    gives: "words",
    reads: ["observation", "state"],
    async run(call) {
      const set = (await call.arg(0)) as ThingsValue;
      const { p, complete, evidence } = set;
      const agents = [...(await seenBy(set, call.scope)).keys()].sort();
      if (agents.length === 0)
        return unknownValue("never-seen", `I did not see the ${set.phrase}`, { complete });
      return wordsValue("description", [{ words: `Seen by ${agents.join(" and ")}.`, p }], {
        p,
        complete,
        evidence,
      });
    },
  },
];
