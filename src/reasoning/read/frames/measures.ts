import { node } from "../../algebra/notation.ts";
import type { Grade } from "../lexicon.ts";
import { measureOf } from "../measures.ts";
import type { Predicate } from "../phrases.ts";
import { meant, type Noun, setOf } from "../phrases.ts";
import { countOf, IT, SELF, those } from "./build.ts";
import { type Frame, frames } from "./frame.ts";

type One = { np: Noun };

const attribute = ({ np, attr }: { np: Noun; attr: string }) =>
  np.kind === "things" ? node("attribute", [meant(np)], { name: attr }) : undefined;

/** The height, area or the like of something, by the dimension that was named. */
const size = ({ np, dim }: { np: Noun; dim: string }) => {
  if (np.kind === "self") return undefined;
  const dimension = np.kind === "rooms" && dim === "volume" ? "area" : dim;
  return node("size", [meant(np)], { dimension });
};

/** Names of what is there to be read. */
const WRITING = /note|label|sign|sticker|writing|magnet|list|poster|post-it|message|card|text/;

const SEE =
  "(do | did | can | could | have | will | would) (i | you | we) (see | find | have | count | seen | found | notice | counted | spot | come across | know of | got | remember | noticed | know)";

/** What something is like, how large, how far, how many. */
export const MEASURES: readonly Frame[] = [
  ...frames(["how many of these BE (in this room | here | there) $np:any"], ({ np }: One) =>
    np.kind === "things" ? node("count", [setOf(np)]) : undefined,
  ),
  ...frames(
    [
      "how long BE the longest (side | edge | dimension) of $np:any",
      "what BE the longest (side | edge | dimension) of $np:any",
    ],
    ({ np }: One) => (np.kind === "things" ? node("size", [meant(np)], { dimension: "longest" }) : undefined),
  ),
  ...frames(
    ["how far apart BE the (nearest | closest) (points | edges | surfaces | sides) of $np:any"],
    ({ np }: One) => (np.items?.length === 2 ? node("distance", np.items.map(meant)) : undefined),
  ),
  ...frames(
    [
      "(what | which) $attr (BE | do | does | did) $np:any [have | be]",
      "(what | which) $attr (has | have) $np:any",
      "(what | which) $attr (do | does) have $np:any",
      "$np:any $attr",
      "(what | which) $attr (BE) $np:any (made of | painted | in)",
      "what BE the $attr of $np:any",
      "(what | which) $attr $np:any (BE | HAVE)",
      "what BE $np:any 's $attr",
      "what BE $np:any $attr",
      "$attr (of | on | for) $np:any",
      "what (i | we | you | somebody | someone) (wrote | wrote down | noted | noted down | scribbled | have written) [down] on $np:any",
      "$np:any (colour | material | owner | label)",
      "(tell me | name | give me | say) the $attr of $np:any",
      "what (colour | material | shape) of $np:any",
      "of (what | which) $attr BE $np:any",
      "in (what | which) $attr BE $np:any [painted]",
      "$np:any (what | which) $attr",
      "how BE $np:any $attr",
      "(which | what) $attr (do | does) $np:any (come in | show)",
    ],
    (given: { np: Noun; attr?: string }, s) =>
      attribute({
        np: given.np,
        attr: given.attr ?? (/^(?:colour|material|owner)$/.test(s.words.at(-1)!) ? s.words.at(-1)! : "text"),
      }),
  ),
  ...frames(
    [
      "what BE $np:any (made of | made out of | made from | built of | constructed from)",
      "(what | which) (material | stuff) BE $np:any (made of | made out of | made from)",
      "(what | which) material (do | does) $np:any consist of",
      "out of (what | which) [material] BE $np:any made",
    ],
    ({ np }: One) => attribute({ np, attr: "material" }),
  ),
  ...frames(
    [
      "what (do | does | did) $np:any say [on it]",
      "what (do | does | did) $np:any read",
      "what (do | does | did) it say on $np:any",
      "what it says on $np:any",
      "$np:any (says | say | reads)",
      "$np:any (says | say | reads) what",
      "(what | which) (month | year | date | time | day | number | name | word | title | message | letter | price | brand | text) (do | does | did | BE) $np:any (show | display | say | have | read | carry | bear) [on it]",
      "what (do | does) $np:any (show | display)",
      "what BE (written | printed | it written | the text | the label | the writing | the inscription | the words | the title) (on | of | for) $np:any",
      "what (text | words | word | writing | label | title | letters) (BE | can you read | do you see | appears) [written | printed] (on | in) $np:any",
      "what (can | could | do | did) (you | i | we) read on $np:any",
      "(read | read me | read out) [what] [is] [written] [on] $np:any",
      "what BE $np:any (labelled | labeled | marked | titled | called | saying) [with | as]",
      "(text | writing | label | words) on $np:any",
      "what BE on the (label | sign | cover | front) of $np:any",
    ],
    ({ np }: One) => attribute({ np, attr: "text" }),
  ),
  ...frames(
    [
      "what (do | does | did) $np say [on it]",
      "what BE (written | printed) on $np",
      "$np (says | say | reads)",
      "(read | read me | read out) $np",
    ],
    ({ np }: One) => {
      // "The note on the fridge": where no note is known by itself, it is what is written on the fridge.
      const [head, anchor] = np.set.of;
      const isNote = np.set.op === "relate" && WRITING.test(String(head?.with["category"] ?? ""));
      return isNote && anchor ? node("attribute", [node("the", [anchor])], { name: "text" }) : undefined;
    },
    0.35,
  ),
  ...frames(
    [
      "(whose | who does) $np:any (BE | belong to) [it | this | that]",
      "whose BE $np:any",
      "who (owns | does own) $np:any",
      "(to | ) whom DO $np:any belong",
      "who DO $np:any belong to",
      "to whom $np:any (belongs | belong)",
      "who $np:any belongs to",
      "whose $np:any BE (it | this | that)",
    ],
    ({ np }: One) => attribute({ np, attr: "owner" }),
  ),
  ...frames(
    [
      "(in | ) what (state | condition) BE $np:any [in]",
      "what BE the (state | status | condition) of $np:any",
      "(state | status) of $np:any",
      "how BE $np:any (doing | now)",
      "$np:any (status | state)",
      "what BE $np:any doing",
    ],
    ({ np }: One) => (np.kind === "things" ? attribute({ np, attr: "state" }) : undefined),
    0.05,
  ),
  ...frames(
    [
      "how (big | large | small | tall | high | wide | long | deep | broad | thick | spacious | roomy) BE $np:any",
      "how (big | large | small | tall | high | wide | long | deep) $np:any BE",
      "how (many | much) (square metres | square meters | m2) $np:any (has | have | is | covers | cover | measures)",
      "how (many | much) (square metres | square meters | m2) (has | have | is | are | does | do) $np:any [have | cover | measure]",
      "$np:any how (big | large | tall | high | wide | long | deep) BE (it | they)",
    ],
    ({ np }: One, s) =>
      size({
        np,
        dim: s.words.includes("square") || s.words.includes("m2") ? "area" : dimensionAfterHow(s.words),
      }),
  ),
  ...frames(
    [
      "what BE the $dim of $np:any",
      "what BE $np:any 's $dim",
      "(what | which) $dim (do | does | did | BE) $np:any [have]",
      "$dim of $np:any",
      "$np:any $dim",
      "(give me | tell me | say) the $dim of $np:any",
      "how (many | much) $dim (do | does | BE | has | have) $np:any [have | cover | take up]",
      "what $dim BE $np:any",
      "how much (space | room | floor space | area) (do | does) $np:any (have | take up | cover | occupy)",
    ],
    (given: { np: Noun; dim?: string }) => size({ np: given.np, dim: given.dim ?? "area" }),
    0.02,
  ),
  ...frames(
    [
      "how (heavy | old | hot | cold | expensive | warm | loud | bright | dirty | clean | full | new) BE $np:any",
      "(how much | what) DO $np:any (weigh | cost)",
      "how much BE $np:any worth",
      "what BE the (weight | price | temperature | age | cost | brand | make | value) of $np:any",
      "what temperature BE $np:any",
    ],
    ({ np }: One, s) =>
      np.kind === "self" ? undefined : node("attribute", [meant(np)], { name: unmeasured(s.words) }),
    0.05,
  ),
  ...frames(
    [
      "how (high | high up | far up | far off the ground | far above the floor | high above the floor | high off the ground) (do | does | BE) $np:any (hang | mounted | placed | located | up | hung | above the floor | above the ground | off the floor | off the ground)",
      "at (what | which) height (do | does | BE) $np:any [hang | hung | mounted | placed | located]",
      "how far above the (floor | ground) BE $np:any",
      "how high up BE $np:any",
    ],
    ({ np }: One) => node("elevation", [meant(np)]),
  ),
  ...frames(
    [
      "how (far | distant) [away | apart] BE $np:any (from | to | away from) $other:any",
      "how (far | close | near) BE (it | there) from $np:any to $other:any",
      "how (close | near) BE $np:any to $other:any",
      "what BE the [shortest | straight] distance (between | from) $np:any (and | to) $other:any",
      "(range | distance) from $np:any to $other:any",
      "(distance | gap) (between | from) $np:any [centre | center | edge] (and | to) $other:any [centre | center | edge]",
      "how far BE the distance (between | from) $np:any (and | to) $other:any",
      "how (many metres | much distance | much space | big a gap | wide a gap) (is | are | BE there | lie | lies | separate) [between] $np:any (and | from | to) $other:any",
      "how far [do] (i | you | we) (have to go | walk | have to walk | go) from $np:any to $other:any",
    ],
    ({ np, other }: { np: Noun; other: Noun }) => node("distance", [meant(np), meant(other)]),
  ),
  ...frames(
    [
      "how far [apart | away] BE $np:any [apart | from each other | from one another | away from each other]",
      "what BE the distance between $np:any",
      "distance between $np:any",
      "how (much space | much room | big is the gap | wide is the gap | close | far) BE [there] between $np:any",
      "what separates $np:any in metres",
    ],
    ({ np }: One) =>
      np.items?.length === 2
        ? node("distance", np.items.map(meant))
        : np.number === 2 || np.plural
          ? node("distance", [meant(np)])
          : undefined,
  ),
  ...frames(
    [
      "how far [away] BE $np:any [away | from here | from me | from you | from us | from where you are | from where i am | off]",
      "how (far | many metres) BE it to $np:any [from here]",
      "distance to $np:any",
      "what BE the distance to $np:any",
      "how far to $np:any",
      "how (close | near) (am i | are you | are we) to $np:any",
      "how far (am i | are you | are we) from $np:any",
    ],
    ({ np }: One) =>
      np.items && np.items.length > 1
        ? undefined
        : np.kind === "self"
          ? undefined
          : node("distance", [meant(np), SELF]),
  ),
  ...frames(
    [
      `how many $np:any (BE | HAVE been | BE there | ${"were there"} | BE standing | stand | hang | lie | sit | HAVE) $pred`,
      `how many $np:any ${SEE} [$pred]`,
      "how many $np:any (do | does) have $where:region",
      "how many [different | distinct] $np:any (DO | HAVE) YOU (meet | met | see | seen | encounter | come across)",
      "how many $np:any BE (there | here | present | available | around | visible) [$pred]",
      "how many $np:any (exist | do we have | have we got | do you know of | are we talking about)",
      "how many of $np:any BE $pred",
      "how many $np:any there BE [$pred]",
      "how many $np:any",
      "(what BE | tell me | give me | say) the [total] (number | count | amount | quantity) of $np:any [$pred]",
      "(number | count | amount) of $np:any [$pred]",
      "count [up] $np:any [$pred]",
      "$np:any (count | how many | number | how much)",
      "how many $np:any $pred",
      "what number of $np:any BE $pred",
      "how many $np:any (BE | HAVE) not $not:pred",
      "how many (BE | BE there) $np:any",
    ],
    ({ np, pred, not, where }: { np: Noun; pred?: Predicate; not?: Predicate; where?: Noun }) => {
      if (np.kind === "self") return undefined;
      if (where) return node("count", [node("in", [setOf(np), setOf(where)])]);
      if (!not) return countOf(np, pred);
      const set = those(np, not);
      return set && node("count", [node("minus", [setOf(np), set])]);
    },
  ),
  ...frames(
    [
      "how many $np:any (do | does | did) $where:any (have | contain | hold | own)",
      "how many $np:any (has | have | had | contain | contains) $where:any",
      "how many $np:any (has | have) $where:any got",
    ],
    ({ np, where }: { np: Noun; where: Noun }) => {
      if (np.kind === "self" || where.kind === "self") return undefined;
      // "How many rooms have a window" counts rooms, "how many chairs does the kitchen have" chairs.
      if (np.kind === "rooms" && where.kind === "things")
        return node("count", [
          node("filter", [
            setOf(np),
            node(where.quantity === "none" ? "none" : "exists", [node("in", [setOf(where), IT])]),
          ]),
        ]);
      if (where.kind === "things")
        return node("count", [node("relate", [setOf(np), meant(where)], { relation: "on" })]);
      return node("count", [node("in", [setOf(np), setOf(where)])]);
    },
  ),
  ...frames(
    [
      "how many more $np:any BE (there | in) $where:any than [in] $other:any",
      "by how many do $np:any in $where:any exceed those in $other:any",
    ],
    ({ np, where, other }: { np: Noun; where: Noun; other: Noun }) =>
      node("difference", [
        node("count", [node("in", [setOf(np), setOf(where)])]),
        node("count", [node("in", [setOf(np), setOf(other)])]),
      ]),
  ),
  ...frames(
    ["how much ($more) BE $np:any than $other:any", "how much $more BE $np:any than $other:any"],
    ({ np, other, more }: { np: Noun; other: Noun; more: Grade }) =>
      node("difference", [
        measureOf(more.measure, meant(np), np.kind),
        measureOf(more.measure, meant(other), other.kind),
      ]),
  ),
];

function dimensionAfterHow(words: readonly string[]): string {
  const word = words[words.indexOf("how") + 1] ?? "";
  return /^(?:big|large|small|spacious|roomy)$/.test(word)
    ? "volume"
    : /^(?:tall|high)$/.test(word)
      ? "height"
      : /^(?:wide|broad)$/.test(word)
        ? "width"
        : /^long$/.test(word)
          ? "length"
          : "depth";
}

/** What no camera tells, by its name. */
function unmeasured(words: readonly string[]): string {
  const at =
    words.find((word) =>
      /^(?:heavy|weigh|weight|old|age|hot|cold|warm|temperature|expensive|cost|worth|price|value|brand|make|loud|bright|full|clean|dirty|new)$/.test(
        word,
      ),
    ) ?? "condition";
  return /weigh|heavy/.test(at)
    ? "weight"
    : /old|age|new/.test(at)
      ? "age"
      : /hot|cold|warm|temp/.test(at)
        ? "temperature"
        : /exp|cost|worth|price|value/.test(at)
          ? "price"
          : /full/.test(at)
            ? "fill"
            : /clean|dirty/.test(at)
              ? "cleanliness"
              : at;
}
