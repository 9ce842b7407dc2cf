import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openModels } from "../src/compose.ts";
import { evaluatePeople } from "../src/evaluation/index.ts";
import { readCassette, startCassetteServer } from "../src/models/testing/cassette.ts";
import { loci } from "./command-line.ts";

/**
 * What a real vision-language model said to each system's prompts, said again: SYSTEM-SEED.json beside the rows that were
 * marked then (SYSTEM-SEED.jsonl), and the house as `houses.json` has it. The houses are simulated and taken in by the code of today.
 */
const FOLDER = join(import.meta.dirname, "../bench/people/cassettes");
const CASSETTES = existsSync(FOLDER)
  ? readdirSync(FOLDER).flatMap((name) => {
      const match = /^([a-z0-9-]+)-(\d+)\.json$/.exec(name);
      return match ? [{ system: match[1]!, seed: Number(match[2]) }] : [];
    })
  : [];
/** Of the answers that were right: another processor may round a pixel or a place otherwise. */
const RIGHT_AGAIN = 0.9;

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly voice: string;
  readonly question: string;
  readonly expect: unknown;
  readonly verdict: string;
}
const rowsOf = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
const isRight = ({ verdict }: Row) => verdict === "right" || verdict === "rightly-refused";

describe("what a real model said", () => {
  const keep = mkdtempSync(join(tmpdir(), "loci-cassettes-"));
  afterAll(() => rmSync(keep, { recursive: true, force: true }));

  it.each(CASSETTES)(
    "to $system about house $seed leads to the same answers",
    async ({ system, seed }) => {
      const name = `${system}-${seed}`;
      const was = rowsOf(join(FOLDER, `${name}.jsonl`));
      const data = join(keep, `data-${name}`);
      mkdirSync(data);
      const houses = JSON.parse(readFileSync(join(FOLDER, "houses.json"), "utf8")) as { seed: number }[];
      writeFileSync(join(data, "houses.json"), JSON.stringify(houses.filter((house) => house.seed === seed)));
      const questions = was.map(({ id, kind, voice, question, expect }) => ({
        id,
        kind,
        voice,
        question,
        expect,
      }));
      writeFileSync(join(data, `${seed}.jsonl`), questions.map((one) => `${JSON.stringify(one)}\n`).join(""));

      const server = await startCassetteServer(readCassette(join(FOLDER, `${name}.json`)));
      const models = await openModels({
        work: "eval",
        model: `openai:bridge@${server.baseUrl}`,
        environment: {},
        folder: keep,
      });
      try {
        const out = join(keep, `${name}.jsonl`);
        await evaluatePeople({ data, keep: join(keep, "houses"), out, systems: [system], models });
        const now = new Map(rowsOf(out).map((row) => [row.id, row]));
        const [right, again] = [
          was.filter(isRight),
          was.filter((row) => isRight(row) && isRight(now.get(row.id)!)),
        ];
        const lost = right.filter((row) => !again.includes(row)).map(({ id }) => now.get(id));
        expect(again.length, JSON.stringify(lost, null, 1)).toBeGreaterThanOrEqual(
          RIGHT_AGAIN * right.length,
        );
      } finally {
        await models.close();
        await server.close();
      }
    },
    600_000,
  );

  it("goes to look, and answers what it saw", async () => {
    const server = await startCassetteServer(readCassette(join(FOLDER, "walk.json")));
    try {
      const house = ["--seed", "20121", "--rooms", "5"];
      const asked = ["--question", "What colour is the sofa?", "--model", `openai:bridge@${server.baseUrl}`];
      const { code, out } = await loci([
        "explore",
        ...house,
        ...asked,
        "--memory",
        join(keep, "walk"),
        "--json",
      ]);
      expect(code).toBe(0);
      const { answer, end } = JSON.parse(out) as { answer: { text: string }; end: string };
      expect(end).toBe("answered");
      expect(answer.text).toContain("brown");
      expect(server.missed()).toBe(0);
    } finally {
      await server.close();
    }
  }, 300_000);
});
