import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import { askedOf } from "../read/addressed.ts";
import { isAround } from "./parts.ts";
import type { Turn } from "./turn.ts";

/** Of two robots, the one that was not asked. */
const OTHER = /^(?:the )?other(?: (?:one|robot|bot))?$/;

const ALL = "all";

/** Replaces "the other robot" by its name: of two, the one that the previous question did not address. */
export async function toTheOther(
  part: Expression,
  turns: readonly Turn[],
  scope: Scope,
): Promise<Expression> {
  if (!namesOther(part)) return part;
  const other = await otherRobot(turns, scope);
  if (other === undefined) return part;
  const walk = (one: Expression): Expression => ({
    ...one,
    of: one.of.map(walk),
    with: isOther(one) ? { ...one.with, agent: other } : one.with,
  });
  return walk(part);
}

/** The other of two robots; undefined where there are not two, or none was addressed. */
export async function otherRobot(turns: readonly Turn[], scope: Scope): Promise<string | undefined> {
  const robots = await scope.memory.agents();
  if (robots.length !== 2) return undefined;
  const asked = robotAsked(turns) ?? scope.agentId;
  const at = asked === undefined ? -1 : robots.findIndex((id) => sameName(id, asked));
  return at < 0 ? undefined : robots[1 - at];
}

/** The robot that the last question with one addressed or mentioned. */
export function robotAsked(turns: readonly Turn[]): string | undefined {
  for (const { parts } of turns.toReversed())
    for (const { expression, value } of parts.toReversed()) {
      const agent = agentOf(expression);
      if (typeof agent === "string" && agent !== ALL) return agent;
      const things = value.kind === "words" ? value.items.flatMap(({ thing }) => thing ?? []) : [];
      const [robot, ...more] = things;
      if (robot?.agentId !== undefined && more.length === 0) return robot.agentId;
    }
  return undefined;
}

/**
 * The previous question addressed to another robot: without the earlier addressee, and restricted to things that the
 * new one saw.
 */
export function ofRobot(asked: Expression, agent: string): Expression {
  const plain = ofNobody(asked);
  if (agent === ALL) return node("by", [plain], { agent });
  return askedOf(isOfWhereabouts(plain) ? node("place", [node("self")]) : plain, { agent });
}

/** "Where is the mug? And robot 2?" asks where robot 2 is. */
function isOfWhereabouts({ op, of: [first] }: Expression): boolean {
  return (op === "place" || op === "room") && first?.op === "the";
}

function ofNobody(part: Expression): Expression {
  const [first] = part.of;
  const isOfOne = (part.op === "by" || part.op === "witnessed") && part.with["agent"] !== undefined;
  if (isOfOne && first) return ofNobody(first);
  return { ...part, of: part.of.map(ofNobody) };
}

function namesOther(part: Expression): boolean {
  return isOther(part) || part.of.some(namesOther);
}

function isOther({ with: { agent } }: Expression): boolean {
  return typeof agent === "string" && OTHER.test(agent);
}

/** "Robot 2" is robot-2. */
function sameName(a: string, b: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\d]/gu, "");
  return plain(a) === plain(b);
}

/** The robot that a question addresses. */
export function agentOf(part: Expression): unknown {
  if (part.op === "by" || part.op === "witnessed") return part.with["agent"];
  const [first] = part.of;
  return first && (isAround(part) || part.op === "name" || part.op === "exists" || part.op === "when")
    ? agentOf(first)
    : undefined;
}
