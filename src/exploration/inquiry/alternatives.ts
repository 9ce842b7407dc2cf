import type { Vec3 } from "../../geometry/index.ts";
import { typicalSizeM } from "../../ontology/index.ts";
import { print } from "../../reasoning/index.ts";
import type { Expression } from "../../schema/index.ts";
import type { Need } from "./needs.ts";
import type { Part } from "./part.ts";

/** A thing rarely fills more than this share of the cube over its longest side. */
const FILLS = 0.3;
/** A search radius around a thing is at least this. */
const LEAST_M = 0.5;

/**
 * "Which of these …": the things that a question chooses among, in the order it names them, and the criterion. Not
 * all of them have to be seen. For "in the same room" one is enough. A thing much smaller than the largest so far can
 * no longer win, nor can one that was not found all around the place it would have to be near.
 */
export interface Alternatives {
  readonly members: readonly Expression[];
  readonly by: "fits" | "nearest" | "largest" | "other";
  /** The criterion is being in the same room as something. */
  readonly isOfRoom: boolean;
  /** The keys of the members among the question's needs. */
  readonly keys: ReadonlySet<string>;
}

/** The question's single choice among several named things; undefined if there is none. */
export function alternativesOf(expression: Expression | undefined): Alternatives | undefined {
  const node = expression && choosing(expression);
  if (node === undefined) return undefined;
  const members = node.of[0]!.of;
  const measure = node.of[1];
  const by =
    node.op === "filter"
      ? "fits"
      : node.op === "least" && measure?.op === "distance"
        ? "nearest"
        : node.op === "most" && measure?.op === "size" && measure.with["dimension"] === "volume"
          ? "largest"
          : "other";
  const isOfRoom = measure?.op === "same" && measure.with["measure"] === "room";
  return { members, by, isOfRoom, keys: new Set(members.map(print)) };
}

/** The same question restricted to some of its members. */
export function among(expression: Expression, kept: (key: string) => boolean): Expression {
  return withMembers(expression, (members) => members.filter((member) => kept(print(member))));
}

/** The same question with one more member, named alone: a toilet is a thing as well as a room. */
export function withMember(expression: Expression, at: number, category: string): Expression {
  const things: Expression = { op: "things", of: [], with: { category } };
  return withMembers(expression, (members) =>
    members.toSpliced(at, 0, { op: "the", of: [things], with: {} }),
  );
}

function withMembers(
  expression: Expression,
  change: (members: readonly Expression[]) => Expression[],
): Expression {
  const node = choosing(expression);
  const within = (one: Expression): Expression => {
    if (one !== node) return { ...one, of: one.of.map(within) };
    const [set, ...rest] = one.of;
    return { ...one, of: [{ ...set!, of: change(set!.of) }, ...rest] };
  };
  return node === undefined ? expression : within(expression);
}

/** The same question without adjectives: a detector that took a black laptop for a grey one still saw it. */
export function undescribed(node: Expression): Expression {
  const of = node.of.map(undescribed);
  if (node.op !== "things") return { ...node, of };
  const { category, any } = node.with;
  const kept = { ...(category !== undefined && { category }), ...(any !== undefined && { any }) };
  return { ...node, of, with: kept };
}

/** The region outside which nothing open can change which member wins. */
export interface Around {
  readonly at: Vec3;
  readonly radiusM: number;
}

/** Which unfound members could still win, and within which region; `needs` is empty once it is decided. */
export interface Rivals {
  readonly needs: readonly Need[];
  readonly around?: Around | undefined;
}

/** What must still be seen to decide between the members; undefined if everything must be. */
export function rivalsOf({ by, keys }: Alternatives, parts: readonly Part[]): Rivals | undefined {
  const open = parts.filter(({ state, need }) => state === "open" && keys.has(need.key));
  const others = parts.filter(({ need }) => !keys.has(need.key));
  const found = parts.filter(({ state, need }) => state === "found" && keys.has(need.key));
  if (by === "other" || found.length === 0 || others.some(({ state }) => state !== "found")) return undefined;
  if (by === "fits") return { needs: [] };
  if (by === "largest") {
    const largestM3 = Math.max(...found.map(({ candidates }) => volumeOf(candidates[0])));
    const mayBeLarger = ({ categories }: Need): boolean => {
      const sizes = categories.flatMap((name) => typicalSizeM(name) ?? []);
      return sizes.length === 0 || FILLS * Math.max(...sizes) ** 3 >= largestM3;
    };
    return { needs: open.map(({ need }) => need).filter(mayBeLarger) };
  }
  const at = others[0]?.candidates[0]?.position;
  if (at === undefined) return undefined;
  const nearestM = Math.min(
    ...found.map(({ candidates: [one] }) =>
      one === undefined ? Infinity : Math.hypot(one.position.x - at.x, one.position.y - at.y),
    ),
  );
  if (nearestM === Infinity) return undefined;
  return { needs: open.map(({ need }) => need), around: { at, radiusM: Math.max(LEAST_M, nearestM) } };
}

function volumeOf(candidate: Part["candidates"][number] | undefined): number {
  if (candidate === undefined) return 0;
  const { min, max } = candidate.box;
  return (max.x - min.x) * (max.y - min.y) * (max.z - min.z);
}

/** The node that chooses one of several named things, each given on its own. */
export function choosing(node: Expression): Expression | undefined {
  const [set] = node.of;
  if (
    (node.op === "filter" || node.op === "most" || node.op === "least") &&
    set?.op === "or" &&
    set.of.length > 0 &&
    set.of.every(({ op }) => op === "the")
  )
    return node;
  for (const child of node.of) {
    const found = choosing(child);
    if (found) return found;
  }
  return undefined;
}
