import { z } from "zod";
import { robotCalled, robotsOf } from "../../../belief/robots.ts";
import { nameSchema } from "../../../schema/index.ts";
import type { Call, Operator } from "../operator.ts";
import { seenBy } from "../things/witness.ts";
import { momentOf } from "../time/spans.ts";
import { KINDS, type ThingsValue, theseThings, unknownValue, type Value, wordsValue } from "../value.ts";

/** Who is meant by all of them. */
const ALL = "all";
/** How sure it is which robots there are. */
const ROBOTS_P = 0.97;
const WHICH = ["first", "last"] as const;

const agentOptions = z.strictObject({ agent: nameSchema.optional() });

/** The robot that an operator is asked of: by its name, or as the member of a set that its second argument is. */
async function whoOf(call: Call): Promise<string | Value> {
  const { agent } = call.options as z.infer<typeof agentOptions>;
  if (call.size < 2 && agent === undefined)
    return unknownValue("not-understood", "which robot is meant was not said");
  if (agent !== undefined)
    return (await robotCalled(agent, call.scope.memory)) ?? unknownValue("never-seen", `I know no ${agent}`);
  const who = await call.arg(1, { agentId: undefined, witness: undefined });
  if (who.kind === "unknown") return who;
  const id = who.kind === "things" ? who.things[0]?.agentId : undefined;
  return id ?? unknownValue("never-seen", "I know of no such robot");
}

const WHO: Operator["takes"][number] = { name: "robot", kinds: ["things"], optional: true };

/** One robot of several is asked, or which of them is. */
export const byAgent: readonly Operator[] = [
  {
    name: "robots",
    says: "the robots themselves, which robot, which of you: members of a set",
    takes: [],
    gives: "things",
    reads: ["observation"],
    async run({ scope }) {
      const robots = await robotsOf(scope.memory, momentOf(scope));
      return theseThings(robots, "robot", { p: ROBOTS_P });
    },
  },
  {
    name: "by",
    says: "the same as one robot of several knows or did it: a member of robots(), or by its name or id; all: of all of them together",
    takes: [{ name: "what", kinds: KINDS }, WHO],
    options: agentOptions,
    gives: "first",
    reads: ["observation"],
    copes: true,
    async run(call) {
      if (call.options["agent"] === ALL) return call.arg(0, { agentId: undefined, witness: undefined });
      const agentId = await whoOf(call);
      if (typeof agentId !== "string") return agentId;
      const { memory } = call.scope;
      const pose = await memory.poseAt(memory.nowUs, agentId);
      // Compared with others, each is asked for what it saw itself.
      const witness = call.options["agent"] === undefined ? agentId : undefined;
      return call.arg(0, { agentId, witness, ...(pose && { pose }) });
    },
  },
  {
    name: "witnessed",
    says: "those of a set of things that one robot of several saw: a member of robots(), or by its name or id",
    takes: [{ name: "set", kinds: ["things"] }, WHO],
    options: agentOptions,
    gives: "things",
    reads: ["observation", "state"],
    async run(call) {
      const set = (await call.arg(0)) as ThingsValue;
      const agentId = await whoOf(call);
      if (typeof agentId !== "string") return agentId;
      const own = (await seenBy(set.things, call.scope)).get(agentId);
      return { ...set, things: set.things.filter(({ trackId }) => own?.has(trackId)) };
    },
  },
  {
    name: "witnesses",
    says: "which of several robots saw the things; which of them did so first or last",
    takes: [{ name: "things", kinds: ["things"] }],
    options: z.strictObject({ which: z.enum(WHICH).optional() }),
    gives: "words",
    reads: ["observation", "state"],
    async run(call) {
      const set = (await call.arg(0)) as ThingsValue;
      const which = call.options["which"] as (typeof WHICH)[number] | undefined;
      const { p, complete, evidence } = set;
      const seen = await seenBy(set.things, call.scope);
      const agents = [...seen.keys()].sort();
      if (agents.length === 0)
        return unknownValue("never-seen", `I did not see the ${set.phrase}`, { complete });
      const timeOf = (agent: string) => {
        const looks = [...seen.get(agent)!.values()];
        return which === "first"
          ? Math.min(...looks.map(({ firstUs }) => firstUs))
          : -Math.max(...looks.map(({ lastUs }) => lastUs));
      };
      const chosen = which === undefined ? agents : agents.sort((a, b) => timeOf(a) - timeOf(b)).slice(0, 1);
      const said = which === undefined ? `Seen by ${chosen.join(" and ")}.` : `${chosen[0]}.`;
      return wordsValue("description", [{ words: said, p }], { p, complete, evidence });
    },
  },
];
