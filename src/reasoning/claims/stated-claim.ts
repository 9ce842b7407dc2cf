import type { StatedClaim } from "../../models/prompts/index.ts";
import { attributesOf } from "../../ontology/index.ts";
import type { Evidence } from "../../retrieval/evidence.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import type { AskOptions } from "../ask.ts";
import { amountIn, isNear } from "./amounts.ts";
import { clockIn } from "./clocks.ts";
import { Grounds } from "./grounds.ts";
import type { Judged } from "./judged.ts";

/** The tolerance of a stated time, in microseconds: people give minutes. */
const TIME_US = 60_000_000;
const RELATIONS: ReadonlySet<string> = new Set([
  "on",
  "in",
  "near",
  "under",
  "above",
  "left",
  "right",
  "front",
  "behind",
]);

/** Checks a stated claim against the fields of the records that it names; `known` finds a record that was shown. */
export async function judgeStated(
  claim: StatedClaim,
  known: (id: string) => Evidence | undefined,
  options: AskOptions,
): Promise<Judged> {
  const text = [claim.id, claim.is, claim.value ?? "", claim.other ?? ""].join(" ").trim();
  const untold: Judged = { claim: text, verdict: "cannot-tell", support: "none", refs: [] };
  const item = known(claim.id);
  const other = claim.other == null ? undefined : known(claim.other);
  if (item?.record.kind !== "state") return untold;
  const decided = (isSo: boolean, instead?: string): Judged => ({
    claim: text,
    verdict: isSo ? "supported" : "contradicted",
    support: "fields",
    refs: [
      item.id,
      item.record.kind === "state" ? item.record.trackId : item.id,
      ...(other ? [other.id] : []),
    ],
    ...(instead !== undefined && !isSo && { instead }),
  });
  if (claim.is === "first-seen" || claim.is === "last-seen") {
    const seen = claim.is === "first-seen" ? item.presence?.firstSeenUs : item.presence?.lastSeenUs;
    const clock = clockIn(claim.value ?? "", options.nowUs);
    return seen == null || clock === undefined ? untold : decided(Math.abs(seen - clock) <= TIME_US);
  }
  if (claim.is === "size") return sized(claim, item, decided) ?? untold;
  const expression = expressionOf(claim, item, other);
  if (!expression) return untold;
  const near = other ? [item, other] : [item];
  const { answer } = await new Grounds(options, near, near).ask(text, "cited", expression);
  if (answer.status !== "answered" || answer.binary === undefined) return untold;
  return decided(answer.binary, answer.text);
}

function sized(
  { value }: StatedClaim,
  { record, box }: Evidence,
  decided: (isSo: boolean, instead?: string) => Judged,
): Judged | undefined {
  const stated = amountIn(value ?? "");
  if (stated?.unit !== "m" || !box) return undefined;
  const { min, max } = box;
  const size = record.extent ?? { x: max.x - min.x, y: max.y - min.y, z: max.z - min.z };
  const sides = [size.x, size.y, size.z];
  const said = sides.map((side) => side.toFixed(2)).join(" × ");
  return decided(
    sides.some((side) => isNear(side, stated, false)),
    `it is ${said} m`,
  );
}

function expressionOf(
  { is, value, other: named }: StatedClaim,
  { record }: Evidence,
  other: Evidence | undefined,
): Expression | undefined {
  if (record.kind !== "state") return undefined;
  const thing = node("the", [node("things", [], { category: record.category })]);
  if (RELATIONS.has(is)) {
    if (named == null && value)
      return node("within", [thing, node("the", [node("things", [], { category: value })])], {
        relation: RELATION.get(is) ?? is,
      });
    if (other?.record.kind !== "state" || other.record.category === record.category) return undefined;
    const holder = node("the", [node("things", [], { category: other.record.category })]);
    return node("within", [thing, holder], { relation: RELATION.get(is) ?? is });
  }
  if (!value) return undefined;
  if (is === "room") return node("within", [thing, node("rooms", [], { name: value.replace(/^the /i, "") })]);
  if (is === "state") {
    const [found] = attributesOf(value.toLowerCase());
    return found && node("is", [thing], { attribute: found.attribute, value: found.value });
  }
  return node("is", [thing], { attribute: is === "kind" ? "category" : is, value: value.toLowerCase() });
}

/** The algebra's names for the plainer words of models. */
const RELATION: ReadonlyMap<string, string> = new Map([
  ["near", "beside"],
  ["front", "front"],
]);
