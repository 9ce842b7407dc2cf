import { join } from "node:path";
import { bm25Idf, bm25Term, wordsOf } from "../../memory/lexical.ts";
import { openEmbedder, parseEmbedderSpec } from "../../models/index.ts";
import { isLociError } from "../../schema/index.ts";
import { bootstrap, type Estimate, meanOf, spearman } from "../statistics.ts";
import { openGloveSif } from "./glove-sif.ts";
import {
  captionLines,
  type Drive,
  type Partners,
  readDrives,
  readHousehold,
  readScoredPairs,
  type ScoredPair,
} from "./probes.ts";

export interface EncoderEvalOptions {
  /** A folder with stsb_dev.tsv, stsb_test.tsv, sick_test.tsv and household.json. */
  readonly data: string;
  /** A folder of NaVQA drives. */
  readonly navqa?: string;
  /** Embedders beyond the standing ones, as models/registry names them. */
  readonly embedders?: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

export interface EncoderRow {
  readonly encoder: string;
  readonly dim: number | null;
  readonly stsbDev?: Estimate;
  readonly stsbTest?: Estimate;
  readonly sick?: Estimate;
  readonly synonyms?: Estimate;
  readonly questionToFact?: Estimate;
  readonly navqaRecall1?: Estimate;
  readonly navqaRecall6?: Estimate;
  readonly navqaFusedRecall6?: Estimate;
  readonly microsecondsPerText?: number;
}

export interface EncoderReport {
  readonly rows: EncoderRow[];
  readonly skipped: { readonly encoder: string; readonly reason: string }[];
}

type Encode = (texts: readonly string[]) => Promise<(Float32Array | null)[]>;

const STANDING = ["loci", "use-lite", "hashing:512"];
const FUSION = 60;

/** Every encoder on every probe, in one run. These figures are reports and select nothing. */
export async function evaluateEncoders(options: EncoderEvalOptions): Promise<EncoderReport> {
  const probes = {
    stsbDev: readScoredPairs(join(options.data, "stsb_dev.tsv")),
    stsbTest: readScoredPairs(join(options.data, "stsb_test.tsv")),
    sick: readScoredPairs(join(options.data, "sick_test.tsv")),
    ...readHousehold(join(options.data, "household.json")),
    drives: options.navqa === undefined ? [] : readDrives(options.navqa),
  };
  const rows: EncoderRow[] = [];
  const skipped: EncoderReport["skipped"] = [];
  const attempt = async (encoder: string, work: () => Promise<EncoderRow>) => {
    options.onProgress?.(encoder);
    try {
      rows.push(await work());
    } catch (error) {
      if (!isLociError(error)) throw error;
      skipped.push({ encoder, reason: error.message });
    }
  };
  for (const choice of [...STANDING, ...(options.embedders ?? [])]) {
    await attempt(choice, async () => {
      const embedder = await openEmbedder(parseEmbedderSpec(choice, options.environment ?? {}));
      try {
        const call = options.signal === undefined ? {} : { signal: options.signal };
        return await scoreAll(
          embedder.info.id,
          embedder.info.dim,
          (texts) => embedder.embed(texts, call),
          probes,
        );
      } finally {
        await embedder.close();
      }
    });
  }
  await attempt("glove-sif", async () => {
    const encode = await openGloveSif(options.environment?.["LOCI_PACKAGES"]);
    return scoreAll("glove-sif", 100, async (texts) => texts.map(encode), probes);
  });
  if (probes.drives.length > 0)
    await attempt("bm25", async () => ({
      encoder: "bm25",
      dim: null,
      ...(await navqa(undefined, probes.drives)),
    }));
  return { rows, skipped };
}

interface Probes {
  readonly stsbDev: readonly ScoredPair[];
  readonly stsbTest: readonly ScoredPair[];
  readonly sick: readonly ScoredPair[];
  readonly synonyms: Partners;
  readonly questionToFact: Partners;
  readonly drives: readonly Drive[];
}

async function scoreAll(encoder: string, dim: number, encode: Encode, probes: Probes): Promise<EncoderRow> {
  const began = performance.now();
  const texts = probes.stsbTest.slice(0, 500).map(({ a }) => a);
  await encode(texts);
  const microsecondsPerText = ((performance.now() - began) * 1000) / texts.length;
  return {
    encoder,
    dim,
    stsbDev: await correlation(encode, probes.stsbDev),
    stsbTest: await correlation(encode, probes.stsbTest),
    sick: await correlation(encode, probes.sick),
    synonyms: await firstAmong(encode, probes.synonyms),
    questionToFact: await firstAmong(encode, probes.questionToFact),
    ...(probes.drives.length > 0 ? await navqa(encode, probes.drives) : {}),
    microsecondsPerText,
  };
}

async function correlation(encode: Encode, pairs: readonly ScoredPair[]): Promise<Estimate> {
  const a = await encode(pairs.map((pair) => pair.a));
  const b = await encode(pairs.map((pair) => pair.b));
  const items = pairs.map(({ score }, i) => ({ score, cosine: cosine(a[i], b[i]) }));
  return bootstrap(items, (drawn) =>
    spearman(
      drawn.map((d) => d.score),
      drawn.map((d) => d.cosine),
    ),
  );
}

/** How many of the texts rank their own partner first. */
async function firstAmong(encode: Encode, pairs: Partners): Promise<Estimate> {
  const asked = await encode(pairs.map(([a]) => a));
  const partners = await encode(pairs.map(([, b]) => b));
  const right = asked.map((vector, i) => {
    const scores = partners.map((partner) => cosine(vector, partner));
    return scores.indexOf(Math.max(...scores)) === i ? 1 : 0;
  });
  return bootstrap<number>(right, (drawn) => drawn.reduce((sum, hit) => sum + hit, 0));
}

/** The best line of a caption among the captions of its drive; without an encoder, by words alone. */
async function navqa(encode: Encode | undefined, drives: readonly Drive[]) {
  const ranks: { alone: number; fused: number }[] = [];
  for (const { captions, questions } of drives) {
    const lines = captions.flatMap((caption, owner) =>
      captionLines(caption).map((text) => ({ owner, text })),
    );
    const vectors = encode && (await encode(lines.map(({ text }) => text)));
    const queries = encode && (await encode(questions.map(({ text }) => text)));
    questions.forEach(({ text, gold }, q) => {
      const byWords = wordScores(captions, text);
      const byMeaning = captions.map(() => -1);
      vectors?.forEach((vector, i) => {
        const { owner } = lines[i]!;
        byMeaning[owner] = Math.max(byMeaning[owner]!, cosine(queries?.[q], vector));
      });
      const [words, meaning] = [placesOf(byWords), placesOf(byMeaning)];
      const fused = placesOf(captions.map((_, i) => 1 / (FUSION + words[i]!) + 1 / (FUSION + meaning[i]!)));
      const best = (places: readonly number[]) => Math.min(...gold.map((g) => places[g]!));
      ranks.push({ alone: best(encode ? meaning : words), fused: best(fused) });
    });
  }
  const recall = (k: number, which: "alone" | "fused") =>
    bootstrap(
      ranks.map((r) => (r[which] <= k ? 1 : 0)),
      meanOf,
    );
  return {
    navqaRecall1: recall(1, "alone"),
    navqaRecall6: recall(6, "alone"),
    ...(encode ? { navqaFusedRecall6: recall(6, "fused") } : {}),
  };
}

/** BM25 as the memory scores it. */
function wordScores(documents: readonly string[], query: string): number[] {
  const bags = documents.map(wordsOf);
  const mean = meanOf(bags.map((bag) => bag.length));
  const terms = [...new Set(wordsOf(query))];
  const idf = new Map(
    terms.map((term) => [term, bm25Idf(bags.length, bags.filter((bag) => bag.includes(term)).length)]),
  );
  return bags.map((bag) =>
    terms.reduce((score, term) => {
      const tf = bag.filter((word) => word === term).length;
      return tf === 0 ? score : score + bm25Term(idf.get(term)!, tf, bag.length, mean);
    }, 0),
  );
}

/** Places from 1, best first, ties by position. */
function placesOf(scores: readonly number[]): number[] {
  const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const places = new Array<number>(scores.length);
  order.forEach((index, place) => {
    places[index] = place + 1;
  });
  return places;
}

function cosine(a: Float32Array | null | undefined, b: Float32Array | null | undefined): number {
  if (!a || !b) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
