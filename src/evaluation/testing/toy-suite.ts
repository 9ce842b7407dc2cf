import { join } from "node:path";
import { SqliteEngine } from "../../memory/index.ts";
import { openHashing } from "../../models/hashing/hashing.ts";
import {
  type AnswerInput,
  answerSchema,
  type QuestionInput,
  type QuestionRecord,
  questionSchema,
  type RecordInput,
} from "../../schema/index.ts";
import type { AskedQuestion, Strategy } from "../runner/strategy.ts";
import type { SuiteScene } from "../runner/suite.ts";

/** A small world for tests: in each scene every ten seconds one thing of one colour is seen at one place. */
const COLOURS = ["red", "blue", "green", "black"];
const THINGS = ["mug", "lamp", "chair", "book", "plant"];
const second = 1_000_000;

export function thingAt(i: number): {
  readonly name: string;
  readonly colour: string;
  readonly timeUs: number;
} {
  return {
    name: THINGS[i % THINGS.length]!,
    colour: COLOURS[(i * 3) % COLOURS.length]!,
    timeUs: (i + 1) * 10 * second,
  };
}

export function captionsOf(count: number): RecordInput[] {
  return Array.from({ length: count }, (_, i) => {
    const { name, colour, timeUs } = thingAt(i);
    return {
      kind: "caption",
      id: `caption-${i}`,
      source: "template",
      text: [`a ${colour} ${name} number ${i}`],
      validFromUs: timeUs,
      validToUs: timeUs + 3 * second,
      anchor: { submap: "world", p: { x: i, y: 0, z: 0 } },
    };
  });
}

export function questionOf(
  more: Partial<QuestionInput> & Pick<QuestionInput, "id" | "answer">,
): QuestionRecord {
  return questionSchema.parse({
    family: "test",
    suite: "test",
    type: "attribute",
    subtype: "colour",
    text: "What is it?",
    scope: "episodic",
    askedAtUs: 1_000 * second,
    difficulty: "easy",
    answerable: more.answer.type !== "none",
    ...more,
  });
}

/** Colour, place, time and yes-or-no questions in turn, about the first `count` things. */
export function questionsOf(count: number): QuestionRecord[] {
  return Array.from({ length: count }, (_, i) => {
    const { name, colour, timeUs } = thingAt(i);
    const common = { id: `q${i}`, evidenceTimesUs: [timeUs] };
    switch (i % 4) {
      case 0:
        return questionOf({
          ...common,
          text: `What color is ${name} number ${i}?`,
          answer: { type: "text", text: colour },
        });
      case 1:
        return questionOf({
          ...common,
          type: "localisation",
          text: `Where is ${name} number ${i}?`,
          answer: { type: "position", text: "there", position: { x: i, y: 0, z: 0 } },
          tolerance: { m: 0.5 },
        });
      case 2:
        return questionOf({
          ...common,
          type: "temporal",
          text: `When did you see ${name} number ${i}?`,
          answer: { type: "time", text: "then", atUs: timeUs, agoS: 1_000 - timeUs / second },
          tolerance: { s: 5 },
        });
      default:
        return questionOf({
          ...common,
          type: "existence",
          text: `Did you see ${name} number ${i}?`,
          answer: { type: "binary", text: "yes", value: true },
        });
    }
  });
}

/** A scene whose memory is written into its own folder when it is first opened. */
export function sceneIn(
  folder: string,
  id: string,
  questions: readonly QuestionRecord[],
  captions = 20,
): SuiteScene {
  return {
    id,
    seed: "1",
    questions,
    async open() {
      let nowUs = 0;
      const engine = await SqliteEngine.open({
        folder: join(folder, id),
        nowUs: () => ++nowUs,
        create: true,
      });
      const reader = await engine.reader();
      const embedder = openHashing(64);
      if ((await reader.stats()).records.caption === 0) {
        const writer = await engine.writer();
        const records = captionsOf(captions);
        const texts = records.flatMap(({ text }) => text ?? []);
        const made = await embedder.embed(texts);
        await writer.setEmbedder("text", embedder.info);
        await writer.write({ records, vectors: texts.map((text, i) => ({ text, vector: made[i]! })) });
        await writer.close();
      }
      return { reader, embedder, close: () => engine.close() };
    },
  };
}

/** Knows the right answers to the questions above by their words; for the tests of the runner itself. */
export function knowing(
  id: string,
  delayMs = 0,
  wrong: (question: AskedQuestion) => boolean = () => false,
): Strategy {
  return {
    id,
    settings: { delayMs },
    async answer(question, { nowUs }) {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      const i = Number(/\d+/.exec(question.text)?.[0] ?? 0) + (wrong(question) ? 1 : 0);
      const { colour, timeUs } = thingAt(i);
      return answerSchema.parse({
        question: question.text,
        askedAtUs: nowUs,
        strategy: id,
        type: "text",
        status: "answered",
        text: colour,
        binary: true,
        position: { point: { x: i, y: 0, z: 0 } },
        time: { atUs: timeUs, agoS: (nowUs - timeUs) / second },
        confidence: 0.9,
        evidence: [
          { ref: `caption-${i}`, kind: "caption", why: "seen", atUs: timeUs, agentId: "local", score: 1 },
        ],
        trace: {
          shown: [
            { ref: `caption-${i}`, kind: "caption", fromUs: timeUs, toUs: timeUs + 3 * second, score: 1 },
          ],
          ms: { search: 1 },
        },
      } satisfies AnswerInput);
    },
  };
}
