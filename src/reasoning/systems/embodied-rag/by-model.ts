import { explanation, selectChild, waypoint } from "../../../models/prompts/embodied-rag.ts";
import type { ChildSelector, Evidence } from "../../../retrieval/index.ts";
import { timeText } from "../../evidence/index.ts";
import { expectationOf } from "../baselines/expectation.ts";
import { findBy, recordsBy } from "../find.ts";
import { backdropOf } from "../model/backdrop.ts";
import { clipped, saidOnce, wordsOf } from "../model/lines.ts";
import type { ModelRun } from "../model/model-run.ts";
import { apart } from "../model/parts.ts";
import type { ModelSaid } from "../model/said.ts";
import { citedIn, readWords } from "../model/words.ts";

/** Places that a prompt holds, and how long each may be, characters. */
const MOST_NODES = 24;
const NODE_CHARS = 1_600;
const CHILD_CHARS = 600;
const MOST_CHILDREN = 16;
const MOST_TIMES = 6;
/** The text for a place without distinctive content. */
const ALIKE = "nothing but what all have";
/** The paper asks for no confidence: the share of explicit and implicit queries that it gets right (Table 1, total). */
const RIGHT_P = 0.93;
/** The score of a chain that the model did not name. */
const UNNAMED_P = 0.4;

/** Embodied-RAG's two ways to answer: a waypoint with its reason where a place is asked for, else an explanation. */
export async function descendAndTell(run: ModelRun): Promise<ModelSaid> {
  const { question, options, mode } = run;
  const selector = options.selector ?? selectorOf(run);
  const found = await findBy("embodied-rag", question, { ...options, selector }, { output: "explain" });
  run.found(found);
  const { nodes, byId, ...told } = await chainsOf(found.items, run);
  if (nodes.length === 0) {
    const text = "I have not seen it";
    return { type: "text", status: "not-seen", text, cited: [], confidence: UNNAMED_P };
  }
  const chains = nodes.map(({ id, text }) => ({ id, text }));
  if (expectationOf(question) === "position" && !options.options) {
    const leaves = chains.filter(({ id }) => id.startsWith("p"));
    const { id, reason } = await run.ask(waypoint, {
      query: question,
      chains: leaves.length > 0 ? leaves : chains,
      ...told,
    });
    const item = byId(id);
    const isKnown = item !== undefined;
    if (item) run.show([item]);
    return {
      type: "position",
      status: isKnown ? "answered" : "insufficient",
      text: reason,
      subject: item,
      cited: [],
      confidence: isKnown ? RIGHT_P : 0,
    };
  }
  const cites = mode === "ours";
  const said = await run.ask(explanation, {
    query: question,
    chains,
    cites,
    ...told,
    now: told.now ?? `It is now ${timeText(options.nowUs, options.nowUs)}.`,
    ...(options.options && { options: [...options.options] }),
  });
  const { text, marks } = citedIn(said);
  const named = marks.flatMap((mark) => byId(mark) ?? []);
  run.show(named);
  const cited = cites ? named : nodes.map(({ item }) => item);
  const words = readWords(text, question, options.options);
  return { ...words, text, subject: cited[0], cited, confidence: cited.length > 0 ? RIGHT_P : UNNAMED_P };
}

/**
 * The model as LLM_Selector; ids that were not offered are ignored. Literally it reads the children as they are and
 * names the best one; ours reads their differences.
 */
function selectorOf(run: ModelRun): ChildSelector {
  const isPaper = run.mode === "paper";
  return {
    async score(_cues, children) {
      const ids = new Map(children.map(({ id }, n) => [`${n + 1}`, id]));
      const lines = children.map(({ text }) => text.split(". "));
      const { common, texts } = isPaper ? { common: "", texts: lines.map(saidOnce) } : apart(lines);
      const shown = texts.map((text, n) => ({
        id: `${n + 1}`,
        text: clipped(text, CHILD_CHARS) || ALIKE,
      }));
      const k = isPaper ? 1 : Math.min(MOST_CHILDREN, shown.length);
      const { chosen } = await run.ask(selectChild, { query: run.question, children: shown, common, k });
      return new Map(
        chosen.flatMap(({ id, score }) => (ids.has(id) ? [[ids.get(id)!, score] as const] : [])),
      );
    },
  };
}

interface Node {
  readonly id: string;
  readonly text: string;
  readonly item: Evidence;
}

/** The chains as a prompt has them. */
interface Chains {
  readonly nodes: readonly Node[];
  readonly common?: string;
  readonly things?: string;
  readonly now?: string;
  byId(mark: string): Evidence | undefined;
}

/** The chains: each leaf with its observations, and the areas above it. Literally each chain is given whole. */
async function chainsOf(items: readonly Evidence[], run: ModelRun): Promise<Chains> {
  const leaves = items.filter(({ kind }) => kind === "place");
  const captions = items.filter(({ kind }) => kind === "caption");
  const above = [...new Set(leaves.flatMap(({ chain = [] }) => chain))];
  const regions = new Map((await recordsBy(above, run.options)).map((item) => [item.id, item]));
  run.show([...regions.values()]);
  const areas = [...regions.values()].map(
    (item, n): Node => ({ id: `a${n + 1}`, text: wordsOf(item), item }),
  );
  const areaOf = (regionId: string) => areas.find(({ item }) => item.id === regionId);
  // A memory without a forest has captions alone.
  const told = leaves.length > 0 ? leaves : captions;
  const chainOf = (item: Evidence, what: "text" | "id") => {
    const chain = (item.chain ?? []).flatMap((id) => areaOf(id)?.[what] ?? []).join(", which is in ");
    return chain === "" ? "" : ` It is in ${chain}`;
  };
  const seenAt = (place: Evidence) => captions.filter(({ record }) => isAt(record.id, place));
  if (run.mode === "paper") {
    const nodes = told.map((item, n): Node => {
      const seen = item.kind === "place" ? seenAt(item).map((one) => sightOf(one, run)) : [];
      const own = item.kind === "place" ? [wordsOf(item), ...seen].join(" ") : sightOf(item, run);
      return { id: `p${n + 1}`, text: `${clipped(own, NODE_CHARS)}${chainOf(item, "text")}`, item };
    });
    return chainsFrom(nodes);
  }
  const backdrop = await backdropOf(captions, run);
  const ofPlaces = told.map((item) => (item.kind === "place" ? seenAt(item) : [item]));
  const { common, texts } = apart(
    told.map((item, n) => [...new Set([item, ...ofPlaces[n]!].flatMap(({ record }) => record.text))]),
  );
  const nodes = told.map((item, n): Node => {
    const seen = ofPlaces[n]!;
    const words = `${clipped(texts[n] || ALIKE, NODE_CHARS)}.${backdrop.showsOf(seen)}${chainOf(item, "id")}`;
    return { id: `p${n + 1}`, text: `${whenAndWhere(item, seen, run)}: ${words}`, item };
  });
  const { things, now } = backdrop;
  return { ...chainsFrom([...nodes, ...areas], backdrop.byId), common, things, now };
}

function chainsFrom(all: readonly Node[], thingBy?: Chains["byId"]): Chains {
  const nodes = all.slice(0, MOST_NODES).map((node) => ({
    ...node,
    text: clipped(node.text, NODE_CHARS * 2) || node.id,
  }));
  const byMark = (mark: string) => nodes.find(({ id }) => id === mark.toLowerCase())?.item;
  return { nodes, byId: (mark) => byMark(mark) ?? thingBy?.(mark) };
}

const isAt = (captionId: string, { record }: Evidence) =>
  record.kind === "place" && record.captions.includes(captionId);

/** "(2.1, 3.6), seen 09:00:36, 09:03:18". */
function whenAndWhere(item: Evidence, seen: readonly Evidence[], { options: { nowUs } }: ModelRun): string {
  const at = item.position && `(${item.position.x.toFixed(1)}, ${item.position.y.toFixed(1)})`;
  const times = [...new Set(seen.map(({ record }) => record.validFromUs))].sort((a, b) => a - b);
  const told = times.slice(-MOST_TIMES).map((us) => timeText(us, nowUs));
  return [at, told.length > 0 && `seen ${told.join(", ")}`].filter(Boolean).join(", ") || "somewhere";
}

function sightOf(caption: Evidence, { options: { nowUs } }: ModelRun): string {
  return `At ${timeText(caption.record.validFromUs, nowUs)}: ${wordsOf(caption)}`;
}
