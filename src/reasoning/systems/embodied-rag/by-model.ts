import { explanation, selectChild, waypoint } from "../../../models/prompts/embodied-rag.ts";
import type { ChildSelector, Evidence } from "../../../retrieval/index.ts";
import { timeText } from "../../evidence/index.ts";
import { expectationOf } from "../baselines/expectation.ts";
import { findBy, recordsBy } from "../find.ts";
import { saidOnce, wordsOf } from "../model/lines.ts";
import type { ModelRun } from "../model/model-run.ts";
import type { ModelSaid } from "../model/said.ts";
import { citedIn, readWords } from "../model/words.ts";

/** Places that a prompt holds, and how long each may be, characters. */
const MOST_NODES = 24;
const NODE_CHARS = 1_600;
const CHILD_CHARS = 600;
const MOST_CHILDREN = 16;
/** The paper asks for no confidence: the share of explicit and implicit queries that it gets right (Table 1, total). */
const RIGHT_P = 0.93;
/** What a chain that nothing of was named for is worth. */
const UNNAMED_P = 0.4;

/** Embodied-RAG's two ways to answer: a waypoint with its reason where a place is asked for, else an explanation. */
export async function descendAndTell(run: ModelRun): Promise<ModelSaid> {
  const { question, options, mode } = run;
  const selector = options.selector ?? selectorOf(run);
  const found = await findBy("embodied-rag", question, { ...options, selector }, { output: "explain" });
  run.found(found);
  const nodes = await chainsOf(found.items, run);
  const chains = nodes.map(({ id, text }) => ({ id, text }));
  if (chains.length === 0) {
    const text = "I have not seen it";
    return { type: "text", status: "not-seen", text, cited: [], confidence: UNNAMED_P };
  }
  const byId = (mark: string) => nodes.find(({ id }) => id === mark.toLowerCase())?.item;
  if (expectationOf(question) === "position" && !options.options) {
    const leaves = chains.filter(({ id }) => id.startsWith("p"));
    const { id, reason } = await run.ask(waypoint, {
      query: question,
      chains: leaves.length > 0 ? leaves : chains,
    });
    const item = byId(id);
    const found = item !== undefined;
    return {
      type: "position",
      status: found ? "answered" : "insufficient",
      text: reason,
      subject: item,
      cited: [],
      confidence: found ? RIGHT_P : 0,
    };
  }
  const cites = mode === "ours";
  const said = await run.ask(explanation, {
    query: question,
    chains,
    cites,
    now: timeText(options.nowUs, options.nowUs),
    ...(options.options && { options: [...options.options] }),
  });
  const { text, marks } = citedIn(said);
  const named = marks.flatMap((mark) => byId(mark) ?? []);
  const cited = cites ? named : nodes.map(({ item }) => item);
  const words = readWords(text, question, options.options);
  return { ...words, text, subject: cited[0], cited, confidence: cited.length > 0 ? RIGHT_P : UNNAMED_P };
}

/** The model as LLM_Selector; ids that were not offered are nowhere to go. Literally it names the best child alone. */
function selectorOf(run: ModelRun): ChildSelector {
  return {
    async score(_cues, children) {
      const ids = new Map(children.map(({ id }, n) => [`${n + 1}`, id]));
      const shown = children.map(({ text }, n) => ({
        id: `${n + 1}`,
        text: saidOnce(text.split(". ")).slice(0, CHILD_CHARS),
      }));
      const k = run.mode === "paper" ? 1 : Math.min(MOST_CHILDREN, shown.length);
      const { chosen } = await run.ask(selectChild, { query: run.question, children: shown, k });
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

/**
 * The chains: each leaf with what was seen there, and the areas above it. Ours tells an area once, under an id of its own;
 * literally each chain is told whole.
 */
async function chainsOf(items: readonly Evidence[], run: ModelRun): Promise<Node[]> {
  const leaves = items.filter(({ kind }) => kind === "place");
  const captions = items.filter(({ kind }) => kind === "caption");
  const above = [...new Set(leaves.flatMap(({ chain = [] }) => chain))];
  const regions = new Map((await recordsBy(above, run.options)).map((item) => [item.id, item]));
  run.show([...regions.values()]);
  const areas = [...regions.values()].map(
    (item, n): Node => ({ id: `a${n + 1}`, text: wordsOf(item), item }),
  );
  const areaOf = (regionId: string) => areas.find(({ item }) => item.id === regionId);
  const places = leaves.map((item, n): Node => {
    const seen = captions.filter(({ record }) => isAt(record.id, item)).map((one) => sightOf(one, run));
    const own = [wordsOf(item), ...seen].join(" ").slice(0, NODE_CHARS);
    const chain = (item.chain ?? []).flatMap((id) => areaOf(id) ?? []);
    const told = chain.map(({ id, text }) => (run.mode === "paper" ? text : id)).join(", which is in ");
    return { id: `p${n + 1}`, text: `${own}${told === "" ? "" : ` It is in ${told}`}`, item };
  });
  // A memory without a forest has captions alone.
  const bare =
    leaves.length > 0 ? [] : captions.map((item, n) => ({ id: `p${n + 1}`, text: sightOf(item, run), item }));
  const wholes = run.mode === "paper" ? [] : areas;
  return [...places, ...bare, ...wholes].slice(0, MOST_NODES).map((node) => ({
    ...node,
    text: node.text.slice(0, NODE_CHARS * 2) || node.id,
  }));
}

const isAt = (captionId: string, { record }: Evidence) =>
  record.kind === "place" && record.captions.includes(captionId);

function sightOf(caption: Evidence, { options: { nowUs } }: ModelRun): string {
  return `At ${timeText(caption.record.validFromUs, nowUs)}: ${wordsOf(caption)}`;
}
