import { z } from "zod";
import { robotCalled, robotsOf } from "../../../belief/robots.ts";
import { type Expression, nameSchema } from "../../../schema/index.ts";
import type { Call, Operator } from "../operator.ts";
import { seenBy } from "../things/witness.ts";
import { everSeenBy } from "../time/own-looks.ts";
import { momentOf } from "../time/spans.ts";
import { KINDS, type ThingsValue, theseThings, unknownValue, type Value, wordsValue } from "../value.ts";

/** The name for all robots. */
const ALL = "all";
/** The confidence in the list of robots. */
const ROBOTS_P = 0.97;
const WHICH = ["first", "last"] as const;
/** What one robot can tell of all time is what it saw itself. */
const LOOKED: ReadonlySet<string> = new Set(["ever", "never", "always"]);

const agentOptions = z.strictObject({ agent: nameSchema.optional() });

/** The robot that an operator refers to: by its name, or as the member of the set in its second argument. */
async function whoOf(call: Call): Promise<string | Value> {
  const { agent } = call.options as z.infer<typeof agentOptions>;
  if (call.size < 2 && agent === undefined)
    return unknownValue("not-understood", "which robot is meant was not said");
  if (agent !== undefined) {
    const told = agentIn(call.node.of[0]);
    const { memory, agentId } = call.scope;
    const than = told === undefined ? agentId : await robotCalled(told, memory);
    return (await robotCalled(agent, memory, than)) ?? unknownValue("never-seen", `I know no ${agent}`);
  }
  const who = await call.arg(1, { agentId: undefined, witness: undefined });
  if (who.kind === "unknown") return who;
  const id = who.kind === "things" ? who.things[0]?.agentId : undefined;
  return id ?? unknownValue("never-seen", "I know of no such robot");
}

/** The robot that an expression names: a comparison repeats the expression for each other robot in its place. */
function agentIn(node: Expression | undefined): string | undefined {
  if (node === undefined) return undefined;
  const { agent } = node.with;
  return typeof agent === "string" && agent !== ALL ? agent : agentIn(node.of[0]);
}

/** When a change was noticed. */
function isNoticing({ op, of: [what] }: Expression): boolean {
  return (op === "when" || op === "seen") && what?.op === "changes";
}

/** The same without the robot that it names; the time of a truth keeps its robot. */
function ofAnyone(node: Expression): Expression {
  const [first, ...rest] = node.of;
  if (first === undefined) return node;
  if (node.op === "by" && typeof node.with["agent"] === "string") return ofAnyone(first);
  return { ...node, of: [ofAnyone(first), ...rest] };
}

const WHO: Operator["takes"][number] = { name: "robot", kinds: ["things"], optional: true };

/** Questions to one of several robots, or about which of them. */
export const byAgent: readonly Operator[] = [
  {
    name: "robots",
    says: "the robots themselves, which robot, which of you: members of a set",
    takes: [],
    options: z.strictObject({ names: z.array(nameSchema).optional() }),
    gives: "things",
    reads: ["observation"],
    async run({ scope, options }) {
      const names = options["names"] as readonly string[] | undefined;
      const all = await robotsOf(scope.memory, momentOf(scope));
      const robots = names ? all.filter(({ name }) => names.includes(name)) : all;
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
      // In comparisons with others, each answers for what it saw itself.
      const isOfLooks = LOOKED.has(call.node.of[0]!.op) || isNoticing(call.node.of[0]!);
      const witness = call.options["agent"] === undefined || isOfLooks ? agentId : undefined;
      const asked = { agentId, witness, ...(pose && { pose }) };
      if (call.options["agent"] === undefined) return call.arg(0, asked);
      const what = ofAnyone(call.node.of[0]!);
      return (await everSeenBy(what, agentId, call)) ?? call.value(what, asked);
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
      const robots = await robotsOf(call.scope.memory, momentOf(call.scope));
      const items = chosen.map((agent) => ({
        words: agent,
        p,
        thing: robots.find(({ agentId }) => agentId === agent),
      }));
      return wordsValue("name", items, { p, complete, evidence });
    },
  },
];
