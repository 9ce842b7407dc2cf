import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { FLOORS } from "./lexicon.ts";
import type { Parse } from "./pattern.ts";
import { by, IT, meant, type Predicate, setOf } from "./phrases.ts";
import { placedAt, relationsAt, sideAt } from "./places.ts";
import type { Sentence } from "./sentence.ts";

/** "in the kitchen", "on the desk", "upstairs", "to my left", "on the floor". */
export function placed(s: Sentence, at: number): Parse<Predicate>[] {
  const found: Parse<Predicate>[] = [];
  for (const { relation, end } of relationsAt(s, at)) {
    for (const anchor of s.nouns(end)) {
      if (relation === "on" && anchor.value.kind === "floors" && anchor.value.set.with["name"] === undefined)
        continue;
      const there = anchor.value.items ? setOf(anchor.value) : meant(anchor.value);
      const isRegion = anchor.value.kind === "rooms" || anchor.value.kind === "floors";
      const options =
        (anchor.value.items ?? []).length > 1 && anchor.value.joined === "or"
          ? [s.words.slice(end, anchor.end).join(" ")]
          : [];
      found.push({
        end: anchor.end,
        cost: anchor.cost,
        value: {
          test: (of) =>
            relation === "between" && anchor.value.items?.length === 2
              ? node("within", [of, meant(anchor.value.items[0]!), meant(anchor.value.items[1]!)], {
                  relation,
                })
              : node("within", [of, there], isRegion && /^(?:in|on|at)$/.test(relation) ? {} : { relation }),
          filter: (set, kind) => placedAt(set, kind, relation, anchor.value),
          ...(options.length > 0 &&
            anchor.value.kind === "things" && {
              choose: (of: Expression) =>
                node("name", [node("filter", [setOf(anchor.value), node("within", [of, IT], { relation })])]),
            }),
          among: {
            measure: "place",
            options:
              options.length > 0 ? splitOptions(options[0]!) : [s.words.slice(at, anchor.end).join(" ")],
          },
        },
      });
    }
  }
  if (s.words[at] === "on" && s.words[at + 1] === "the" && /^(?:floor|ground)$/.test(s.words[at + 2] ?? ""))
    found.push({
      end: at + 3,
      cost: 0,
      value: by((of) => node("less", [node("elevation", [of]), node("value", [], { n: 0.12, unit: "m" })])),
    });
  for (let length = 5; length >= 1; length--) {
    const floor = FLOORS.get(s.words.slice(at, at + length).join(" "));
    if (!floor || s.words[at + length - 1] === undefined) continue;
    const there = node("floors", [], { name: floor });
    found.push({
      end: at + length,
      cost: 0,
      value: {
        test: (of) => node("within", [of, there]),
        filter: (set) => node("in", [set, there]),
        among: { measure: "place", name: "floor", options: [s.words.slice(at, at + length).join(" ")] },
      },
    });
    break;
  }
  const side = sideAt(s, at);
  if (side)
    found.push({
      end: side.end,
      cost: 0.02,
      value: {
        test: (of) => node("within", [of, node("self")], { relation: side.relation }),
        filter: (set) => node("relate", [set, node("self")], { relation: side.relation }),
        among: { measure: "direction", options: [side.relation] },
      },
    });
  if (
    /^(?:here|there)$/.test(s.words[at] ?? "") ||
    (s.words[at] === "in" && /^(?:here|there)$/.test(s.words[at + 1] ?? ""))
  ) {
    const end = at + (s.words[at] === "in" ? 2 : 1);
    const there = s.here(s.words[end - 1] === "there");
    if (s.words[at] !== "there" || s.context.antecedents?.place)
      found.push({
        end,
        cost: 0.1,
        value: { test: (of) => node("within", [of, there]), filter: (set) => node("in", [set, there]) },
      });
  }
  return found;
}

function splitOptions(text: string): string[] {
  return text.split(/ or |, /).map((one) => one.replace(/^(?:in |on )?(?:the |a )?/, ""));
}
