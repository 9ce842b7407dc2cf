import type { RecordKind } from "../../schema/core.ts";
import { PlanBuilder } from "../plan/plan.ts";
import type { Preset } from "./papers.ts";
import { scoped } from "./scope.ts";

const CAPTIONS: RecordKind[] = ["caption"];

/** ReMEmbR's three tools at once: by text, by place where one is known, by time where one is known. */
export const remembr: Preset = (asked, { hasPose }) => {
  const b = new PlanBuilder("remembr");
  const { near, during } = asked.question;
  const lists = [b.add({ op: "sem", kinds: CAPTIONS, text: asked.question.text, k: 5 })];
  const everything = b.add({ op: "all", kinds: CAPTIONS });
  if (near || (hasPose && asked.cues.nearest))
    lists.push(b.add({ op: "nearest", from: everything, at: near?.centre ?? "here", k: 4 }));
  if (during)
    lists.push(
      b.add({
        op: "last",
        from: b.add({ op: "during", from: everything, start: during.fromUs, end: during.toUs ?? "now" }),
        k: 4,
      }),
    );
  return b.build(b.add({ op: "chronological", from: b.add({ op: "or", of: lists }) }));
};

/** OpenGraph: descriptions of things only. */
export const openGraph: Preset = (asked, { k = 5 }) => {
  const b = new PlanBuilder("opengraph");
  return b.build(scoped(b, b.add({ op: "sem", kinds: ["state"], text: asked.question.text, k }), asked));
};

/** Plain retrieval over captions: the baseline that every paper compares with. */
export const flatRag: Preset = (asked, { k = 6 }) => {
  const b = new PlanBuilder("flat-rag");
  return b.build(scoped(b, b.add({ op: "sem", kinds: CAPTIONS, text: asked.question.text, k }), asked));
};

/** The one place or thing whose text is most like the question. */
export const semanticMatch: Preset = (asked, { k = 1 }) => {
  const b = new PlanBuilder("semantic-match");
  const kinds: RecordKind[] = ["state", "place", "region", "caption"];
  return b.build(scoped(b, b.add({ op: "sem", kinds, text: asked.question.text, k }), asked));
};

/** Captions evenly spread over time, regardless of the question. */
export const uniform: Preset = (asked, { k = 10, kinds = CAPTIONS }) => {
  const b = new PlanBuilder("uniform");
  return b.build(scoped(b, b.add({ op: "uniform", kinds: [...kinds], k }), asked));
};

/** Nothing: what can be answered without a memory. */
export const blind: Preset = () => {
  const b = new PlanBuilder("blind");
  return b.build(b.add({ op: "none" }));
};

/** Every caption, in order, up to the budget. */
export const wholeHistory: Preset = (asked, { k = 1_000, tokens, kinds = CAPTIONS }) => {
  const b = new PlanBuilder("whole-history");
  const all = scoped(b, b.add({ op: "all", kinds: [...kinds], k }), asked);
  return b.build(tokens === undefined ? all : b.add({ op: "budget", from: all, tokens }));
};
