import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { nodesCalled } from "../rival-values.ts";
import type { Turn } from "./turn.ts";

const BEFORE =
  /^(?:and )?(?:(?:what|how) (?:about|was (?:it|that)) |(?:and )?where (?:was|were) (?:it|he|she|they) )?(?:right |just )?before(?: (?:that|this|then|now))?(?:,? where (?:was|were) (?:it|he|she|they))?\s*\??$/i;
const AROUND: ReadonlySet<string> = new Set(["at", "from"]);

/** “And before that?”: the place or the state of what the last question was about, before it came to be as it was told. */
export function beforeThat(text: string, { parts }: Turn): Expression | undefined {
  const [part] = parts;
  if (parts.length !== 1 || !part || !BEFORE.test(text.trim())) return undefined;
  const { expression, value } = part;
  const told = expression.op === "at" ? expression.of[1] : undefined;
  const root = AROUND.has(expression.op) ? expression.of[0]! : expression;
  const [of] = root.of;
  if (!of || nodesCalled("it", of).length > 0) return undefined;
  const before = (since: Expression) => node("before", [told ? node("at", [since, told]) : since]);
  if (root.op === "place" || root.op === "room" || root.op === "within")
    return node("at", [
      root.op === "within" ? node("place", [of]) : root,
      before(node("when", [of], { which: "since" })),
    ]);
  const attribute = root.op === "is" ? root.with["attribute"] : root.op === "attribute" && root.with["name"];
  if (typeof attribute !== "string") return undefined;
  const now =
    value.kind === "truth" && root.op === "is"
      ? value.truth
        ? root
        : node("not", [root])
      : value.kind === "words" && value.items[0]
        ? node("is", [of], { attribute, value: value.items[0].words })
        : undefined;
  return now && node("at", [node("attribute", [of], { name: attribute }), before(node("when", [now]))]);
}
