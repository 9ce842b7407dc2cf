/**
 * Pairs → what train.py reads: `node training/reader/prepare.ts --corpus PAIRS.tsv.gz --out DIR [--pairs FILE…]`.
 * Writes pairs.jsonl (words, kinds, target tokens), names.json (what nouns are exchanged by), sentences.txt and words.json
 * (text for learning words before questions). Says which literals stand in no question. Without --pairs: all of `pairs/` and
 * the pairs that are shipped. What a pair says of the question before is given some questions to stand after.
 */
import { createReadStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import { appearanceWords } from "../../src/ontology/appearance.ts";
import { vocabulary } from "../../src/ontology/entry.ts";
import { attributesOf, pluralOf, singularOf } from "../../src/ontology/index.ts";
import { scan } from "../../src/reasoning/algebra/index.ts";
import { goesOn } from "../../src/reasoning/read/placeholders.ts";
import { sentencesOf } from "../../src/reasoning/read/tokens.ts";
import { kindsOf, MARKS, sourceOf } from "../../src/reasoning/read/trained/source.ts";
import { tokensOf } from "./linearise.ts";
import { sourceIn } from "./question.ts";

const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    out: { type: "string" },
    pairs: { type: "string", multiple: true },
    sentences: { type: "string", default: "500000" },
  },
});
const out = values.out ?? "training/reader/.cache";
mkdirSync(out, { recursive: true });
const folder = new URL("./pairs", import.meta.url).pathname;
const shipped = new URL("../../src/reasoning/read/data/pairs.tsv", import.meta.url).pathname;
const files = values.pairs ?? [
  ...readdirSync(folder)
    .filter((file) => file.endsWith(".tsv"))
    .map((file) => join(folder, file)),
  shipped,
];

/** What goes on from any question stands after so many, each time others. */
const STANDS_AFTER = 4;
/** Questions that something may go on from: of one, in few words, that stand by themselves. */
const MOST_CHARS_BEFORE = 70;
const before = files
  .flatMap((file) => readFileSync(file, "utf8").split("\n"))
  .filter((line) => /^[^#[\t>][^[\t>]*\t(?!recall|refuse)(?!.*(?:;;|previous\(|spoken\(|again\())/.test(line))
  .map((line) => line.split("\t")[0]!)
  .filter((question) => question.length <= MOST_CHARS_BEFORE);
let nextBefore = 0;
/** Far enough from one another in the files to be other people's. */
const BEFORE_STEP = 7_919;

/** The questions that a pair is learnt by: its own, or that after some others. */
function askedAs(question: string, isGoingOn: boolean): string[] {
  if (!isGoingOn || question.includes(MARKS.before)) return [question];
  return Array.from({ length: STANDS_AFTER }, () => {
    nextBefore = (nextBefore + BEFORE_STEP) % before.length;
    return `${before[nextBefore]} ${MARKS.before} ${question}`;
  });
}

const rows: string[] = [];
const unaligned = new Map<string, number>();
const words = new Map<string, number>();
for (const file of files) {
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [question, notation] = line.split("\t");
    if (!question || !notation || line.startsWith("#")) continue;
    try {
      const parts = notation.split(" ;; ").map(scan);
      for (const asked of askedAs(question, parts.some(goesOn))) {
        const source = sourceIn(asked);
        const target = tokensOf(parts, source);
        for (const { word } of source) words.set(word, (words.get(word) ?? 0) + 1);
        for (const token of target)
          if (token.startsWith("=")) unaligned.set(token, (unaligned.get(token) ?? 0) + 1);
        rows.push(
          JSON.stringify({
            file: file === shipped ? "shipped.tsv" : file.split("/").at(-1),
            q: asked,
            w: source.map(({ word }) => word),
            k: source.map(({ kinds }) => kinds),
            t: target,
          }),
        );
      }
    } catch (error) {
      console.error(`${file}: ${(error as Error).message} | ${line}`);
    }
  }
}
writeFileSync(join(out, "pairs.jsonl"), `${rows.join("\n")}\n`);
const rare = [...unaligned].filter(([, n]) => n === 1).map(([token]) => token);
console.log(
  `${rows.length} pairs, ${unaligned.size} literals of the algebra, ${rare.length} of them once: ${rare.slice(0, 80).join(" ")}`,
);

/** How the reader sees a code: by its capitals as something quoted, or typed without them. */
const CODE_KINDS = ["B-03-1", "b-03-1"].map((code) => sourceIn(code)[0]!.kinds);
const name = (one: string, many: string) => {
  const [ones, manys] = [one.split(" "), many.split(" ")];
  return { one: ones, many: manys, oneKinds: ones.map(kindsOf), manyKinds: manys.map(kindsOf) };
};
const clean = (text: string) => /^[a-z][a-z -]*$/.test(text);
const entries = [...new Set(vocabulary().entries.values())];
const things = [...new Set(entries.flatMap(({ names }) => names).filter(Boolean))].filter(
  (one) => clean(one) && one.split(" ").length <= 3,
);
const isRoom = (one: string) => (kindsOf(one) & 2) !== 0 || /room$/.test(one);
const rooms =
  "kitchen,living room,lounge,sitting room,bedroom,guest room,children's room,nursery,office,study,bathroom,toilet,hallway,hall,corridor,landing,dining room,pantry,utility room,laundry room,garage,basement,attic,conservatory,balcony,terrace,workshop,library,playroom,den,cellar,storage room,lobby,reception,meeting room,conference room,break room,lab,gym,entrance,foyer,porch,cloakroom,master bedroom,spare room".split(
    ",",
  );
const people =
  "Anna,Ben,Clara,David,Emma,Felix,Grace,Hugo,Ines,Jack,Kate,Leo,Mia,Noah,Olga,Omar,Paul,Quinn,Rosa,Sam,Tina,Uma,Victor,Wendy,Xavier,Yara,Zoe,Priya,Wei,Fatima,Ahmed,Yuki,Hiro,Ivan,Olga,Sofia,Mateo,Lucas,Liam,Olivia,Ethan,Maya,Nina,Oscar,Peter,Ruth,Simon,Tara,Walter,Alice,Bob,Carol,Dan,Eve,Frank,Greta,Hanna,Ian,Julia,Karl,Lena,Max,Nora,Otto,Pia,Ralf,Sara,Tom,Ulla,Vera,Grandma,Granddad,Rex,Bella,Milo,Luna".split(
    ",",
  );
/** Codes as warehouses have them, by a fixed order of letters and digits: slots, bays, goods, machines. */
const LETTERS = "abcdefghjklmnpqrstuvwxyz";
const codes = Array.from({ length: 600 }, (_, n) => {
  const [one, other] = [LETTERS[n % 24]!, LETTERS[(n * 7 + 5) % 24]!];
  const number = String((n * 37) % 999).padStart(3, "0");
  return [
    `${one}-${String(n % 40).padStart(2, "0")}-${(n % 4) + 1}`,
    `${one}-${number.slice(1)}`,
    `${one}${other}-${number}`,
  ];
}).flat();
const numbered = [
  "aisle",
  "dock",
  "dock door",
  "staging",
  "bay",
  "slot",
  "rack",
  "pallet",
  "lane",
  "zone",
].flatMap((one) => Array.from({ length: 9 }, (_, n) => `${one} ${one === "aisle" ? LETTERS[n] : n + 1}`));
const aisles = Array.from({ length: 8 }, (_, n) => `aisle ${LETTERS[n]}`);
const looks = (attribute: string) =>
  appearanceWords().filter((one) => clean(one) && attributesOf(one)[0]?.attribute === attribute);
writeFileSync(
  join(out, "names.json"),
  JSON.stringify({
    thing: things
      .filter((one) => !isRoom(one))
      .map((one) => name(singularOf(one), pluralOf(singularOf(one)))),
    room: [...rooms, ...aisles].map((one) =>
      name(one.replace("'s", " 's"), pluralOf(one).replace("'s", " 's")),
    ),
    colour: looks("colour").map((one) => name(one, one)),
    material: looks("material").map((one) => name(one, one)),
    code: codes.flatMap((one) =>
      CODE_KINDS.map((kind) => ({ one: [one], many: [one], oneKinds: [kind], manyKinds: [kind] })),
    ),
    numbered: numbered.map((one) => name(one, one)),
    person: people.map((one) => ({
      one: [one.toLowerCase()],
      many: [one.toLowerCase()],
      oneKinds: [32],
      manyKinds: [32],
    })),
  }),
);
console.log(`${things.length} names of things`);

const around: Record<string, { w: string[]; k: number[] }[]> = { before: [], after: [] };
for (const line of readFileSync(new URL("./around.txt", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)) {
  const [where, text] = line.split("\t");
  const source = sourceOf(sentencesOf(text!));
  // A comma at either end joins it to the question.
  if (/^,/.test(text!)) source.unshift({ word: ",", kinds: 0 });
  if (/,$/.test(text!)) source.push({ word: ",", kinds: 0 });
  around[where!]!.push({ w: source.map(({ word }) => word), k: source.map(({ kinds }) => kinds) });
}
writeFileSync(join(out, "around.json"), JSON.stringify(around));

const LEFT_OUT = new Set(
  "epic epic_nouns asset scanrefer scanrefer-nr3d nr3d snare sick med help quora".split(" "),
);
if (values.corpus) {
  const most = Number(values.sentences);
  const seen = new Set<string>();
  const lines: string[] = [];
  const input = createInterface({ input: createReadStream(values.corpus).pipe(createGunzip()) });
  let n = 0;
  for await (const line of input) {
    const [source, , , a, b] = line.split("\t");
    if (LEFT_OUT.has(source ?? "") || n++ % 3 !== 0) continue;
    for (const text of [a, b]) {
      if (!text || text.length < 20 || text.length > 240 || seen.has(text)) continue;
      seen.add(text);
      const said = sourceOf(sentencesOf(text)).map(({ word }) => word);
      if (said.length < 5) continue;
      for (const word of said) words.set(word, (words.get(word) ?? 0) + 1);
      lines.push(said.join(" "));
    }
  }
  const step = Math.max(1, Math.floor(lines.length / most));
  writeFileSync(join(out, "sentences.txt"), `${lines.filter((_, at) => at % step === 0).join("\n")}\n`);
  console.log(`${lines.length} sentences, every ${step} kept`);
  const common = [...words].filter(([, n]) => n > 1).sort((a, b) => b[1] - a[1]);
  writeFileSync(
    join(out, "words.json"),
    JSON.stringify(common.slice(0, 30_000).map(([word, n]) => [word, n, kindsOf(word)])),
  );
}
