import { z } from "zod";
import { ANSWER_TYPES, idSchema } from "../../schema/index.ts";
import { lines, options, optionsBlock, phrase, probability, question, seen, sentence } from "./fields.ts";
import { definePrompt, systemOf } from "./prompt-spec.ts";
import { quoted } from "./quote.ts";

/** Most things in one call: many models read a dozen pictures well, and few more. */
export const THINGS_A_CALL = 8;
/** What may be said of a thing in a word or two. */
const word = z.string().trim().min(1).max(80).nullish();
const described = z.object({
  n: z.int().min(1).max(THINGS_A_CALL),
  phrase: phrase.nullish(),
  kind: word,
  sure: z.boolean().default(true),
  colour: word,
  material: word,
  text: z.string().trim().min(1).max(200).nullish(),
  state: word,
  parts: z.array(z.string().trim().min(1).max(80)).max(8).nullish(),
});

/** R⁴: masked crops into short descriptions, several things in one call. */
export const describeInstances = definePrompt({
  id: "r4/describe-instances",
  form: "json",
  input: z.object({ labels: z.array(phrase.nullable()).min(1).max(THINGS_A_CALL) }),
  output: z.object({ things: z.array(described).max(THINGS_A_CALL) }),
  images: { least: 1, most: THINGS_A_CALL },
  maxTokens: 1_200,
  render: ({ labels }) => ({
    system: systemOf("You name and describe single objects for the memory of a robot."),
    user: lines(
      labels.length === 1
        ? "The picture shows one object."
        : `Each of the ${labels.length} pictures shows one object; the first picture is object 1.`,
      "A picture holds one or more views of the same object, side by side; everything around it is greyed out. The outline was found without knowing the object: a view may hold only a part of it, or a little of what is beside it.",
      labels.some((label) => label !== null) &&
        `What is known of the objects, by number. A name there was guessed and is often wrong; sizes are measured:\n${quoted("known", labels.map((label, n) => `${n + 1}. ${label ?? "nothing"}`).join("\n"))}`,
      'Answer {"things": [...]} with one entry for each object: "n" its number; "phrase" one short noun phrase with colour, material and kind; "kind" the everyday name of its kind alone, as people search for it ("coffee machine", "office chair"), null where the picture does not show what it is or shows only wall, floor or ceiling; "sure" false where the kind is a guess; and where visible "colour", "material", "text" that can be read on it, "state" (open, closed, on, off, full, empty), "parts" that stand out.',
    ),
  }),
});

/** R⁴: is a new record one of these known things? */
export const sameObject = definePrompt({
  id: "r4/same-object",
  form: "json",
  input: z.object({
    seen,
    proposals: z
      .array(z.object({ id: idSchema, text: seen }))
      .min(1)
      .max(16),
  }),
  output: z.object({ same: idSchema.nullable(), confidence: probability }),
  maxTokens: 120,
  render: ({ seen: record, proposals }) => ({
    system: systemOf("You decide whether a robot sees a thing again or a new one."),
    user: lines(
      "Newly seen:",
      quoted("new", record),
      "Known things near by, each after its id:",
      quoted("known", proposals.map(({ id, text }) => `[${id}] ${text}`).join("\n")),
      "Twins are common: equal looks at clearly different places are different things.",
      'Answer {"same": the id of the known thing that this is, or null for a new one, "confidence": 0 to 1}.',
    ),
  }),
});

const coordinate = z.number().min(-1e8).max(1e8);
/** Earlier questions and answers of a conversation, latest last. */
const talk = z
  .array(z.object({ question, answer: z.string().max(2_000) }))
  .max(8)
  .default([]);

const keys = z.object({
  /** What to look for, one thing each, in words: class, attribute, state, role. */
  semantic: z.array(phrase).max(6).default([]),
  /** The thing or person it is near to or on, if the question names one. */
  near: phrase.nullish(),
  withinM: z.number().positive().max(1_000).nullish(),
  /** As seen by the agent that is asked. */
  direction: z.enum(["left", "right", "front", "behind", "above", "below"]).nullish(),
  /** The room that the question names, or several. */
  room: z.union([phrase, z.array(phrase).max(4)]).nullish(),
  /** Seconds before now. */
  fromAgoS: z.number().min(0).max(1e10).nullish(),
  toAgoS: z.number().min(0).max(1e10).nullish(),
  /** Clock times in UTC, with a date or of the day of asking. */
  from: z.string().max(64).nullish(),
  to: z.string().max(64).nullish(),
  /** A place of the map, metres. */
  at: z.object({ x: coordinate, y: coordinate, z: coordinate.nullish() }).nullish(),
});
export type SearchKeys = z.output<typeof keys>;

/** R⁴: can it be answered from what is in view, and if not, which keys retrieve it from the memory? */
export const answerability = definePrompt({
  id: "r4/answerability",
  version: 3,
  form: "json",
  input: z.object({
    question,
    options: options.optional(),
    live: seen.optional(),
    hasImages: z.boolean().default(false),
    now: z.string().max(64),
    talk,
  }),
  output: z.object({
    /** From what is in view, from general knowledge, or only with the memory. */
    basis: z.enum(["view", "general", "memory"]),
    answer: sentence.nullish(),
    binary: z.boolean().nullish(),
    count: z.int().min(0).max(1e6).nullish(),
    choice: z
      .string()
      .regex(/^[A-Z]$/)
      .nullish(),
    confidence: probability,
    keys: keys.prefault({}),
  }),
  images: { least: 0, most: 16 },
  maxTokens: 500,
  render: (input) => ({
    system: systemOf(
      "You are the eyes and the common sense of a robot with a memory of what it saw, where and when.",
    ),
    user: lines(
      ...earlier(input.talk),
      "Somebody asks:",
      quoted("question", input.question),
      input.options && optionsBlock(input.options),
      `It is now ${input.now}.`,
      input.hasImages
        ? "The pictures are what the asker shows or what is in view now. “This” and “that” mean what they show."
        : "There is no picture of the present.",
      input.live !== undefined && lines("Known to be in view now:", quoted("view", input.live)),
      'Answer with JSON. "basis": "view" if the present view alone answers it for certain; "general" if it is general ' +
        'knowledge that has nothing to do with this place; otherwise "memory". With "view" or "general" give "answer" ' +
        '(and "binary", "count" or the letter "choice" where asked). "confidence": 0 to 1, how sure you are of the answer.',
      'Always give "keys" to search the memory by: "semantic", a list of short phrases, each naming one kind of thing ' +
        '(what “this” shows, if asked about it; no rooms, no question words); "near": another thing it is close to; ' +
        '"withinM" metres of that; "direction" from the robot; "room", or a list of rooms; "fromAgoS" and "toAgoS", seconds before now, or "from" and "to", ' +
        'clock times; "at", a place of the map by x, y, z in metres. Leave out what the question does not say.',
    ),
  }),
});

/** What a claim may state about a record: a field of it, or its relation to another. */
export const CLAIM_KINDS = [
  "kind",
  "colour",
  "material",
  "state",
  "text",
  "room",
  "size",
  "first-seen",
  "last-seen",
  "on",
  "in",
  "near",
  "under",
  "above",
  "left",
  "right",
  "front",
  "behind",
] as const;

/** A claim as a model writes it: this is true of this record. */
export const statedClaimSchema = z.object({
  id: z.string().min(1).max(80),
  is: z.enum(CLAIM_KINDS),
  value: z.string().trim().max(200).nullish(),
  /** The record that it lies on, in or beside. */
  other: z.string().max(80).nullish(),
});
export type StatedClaim = z.output<typeof statedClaimSchema>;

/** The statuses a model may give; `unknowable`: no robot's memory could contain it. */
const MODEL_STATUSES = [
  "answered",
  "not-seen",
  "looked-absent",
  "false-premise",
  "ambiguous",
  "insufficient",
  "unknowable",
] as const;

/**
 * A model's answer. It contains no places, times or lengths: the model names the record, and the numbers are read
 * from it.
 */
const modelAnswer = z.object({
  status: z.enum(MODEL_STATUSES),
  type: z.enum(ANSWER_TYPES).default("text"),
  text: z.string().trim().max(2_000),
  binary: z.boolean().nullish(),
  choice: z.string().trim().max(200).nullish(),
  set: z.array(z.string().trim().min(1).max(200)).max(64).nullish(),
  /** The record whose place or time is the answer, and a second one for a distance or a time between two. */
  subject: z.string().max(80).nullish(),
  second: z.string().max(80).nullish(),
  /** Which moment of the subject is meant. */
  moment: z.enum(["first-seen", "last-seen", "gone", "start", "end"]).nullish(),
  /** Which length of the subject is meant. */
  measure: z.enum(["distance", "height", "width", "length", "area"]).nullish(),
  /** The records that were counted. */
  counted: z.array(z.string().max(80)).max(1_000).nullish(),
  count: z.int().min(0).max(1e6).nullish(),
  moving: z.boolean().nullish(),
  direction: z.string().trim().min(1).max(200).nullish(),
  confidence: probability,
  cited: z.array(z.string().max(80)).max(64).default([]),
  claims: z.array(statedClaimSchema).max(16).default([]),
  contradictions: z.array(sentence).max(16).default([]),
});
export type ModelAnswer = z.output<typeof modelAnswer>;
export const modelAnswerSchema = modelAnswer;

const call = z.object({
  tool: z.string().min(1).max(64),
  input: z.record(z.string(), z.unknown()).default({}),
});

/** R⁴: the answer from the results, or what to look for next. */
export const answerWithContext = definePrompt({
  id: "r4/answer",
  version: 4,
  form: "json",
  input: z.object({
    question,
    options: options.optional(),
    evidence: seen,
    now: z.string().max(64),
    talk,
    pose: z.string().max(200).optional(),
    roundsLeft: z.int().min(0).max(6),
    /** How to call tools, for a model without tool support; empty otherwise. */
    tools: z.string().max(16_000).optional(),
    images: z.int().min(0).max(16).default(0),
    /** The records of the stored pictures, in order. */
    pictures: z.array(z.string().max(80)).max(16).default([]),
  }),
  output: z.union([z.object({ answer: modelAnswer }), z.object({ calls: z.array(call).min(1).max(16) })]),
  images: { least: 0, most: 16 },
  maxTokens: 1_200,
  render: (input) => ({
    system: systemOf(
      "You answer questions from the memory of a robot. You know only what the records say; each begins with its id. " +
        "Never guess a place, a time or a number: name the record, and the memory fills them in. Answer as soon as the " +
        "records tell. What a search did not find another like it will not find: it was not seen. A taste, an opinion, " +
        "a price, the future or an order to act is in no memory: say so at once, without a search.",
    ),
    user: lines(
      ...earlier(input.talk),
      "Question:",
      quoted("question", input.question),
      input.options && optionsBlock(input.options),
      `It is now ${input.now}.`,
      input.pose !== undefined && `The robot is at ${input.pose}.`,
      input.images > 0 && `${input.images} pictures of the present go along.`,
      input.pictures.length > 0 &&
        lines("In their order they are the records:", quoted("pictures", input.pictures.join("\n"))),
      "Found in the memory so far:",
      quoted("records", input.evidence === "" ? "nothing" : input.evidence),
      roundsText(input.roundsLeft),
      input.tools !== undefined &&
        input.roundsLeft > 0 &&
        lines("Tools, all of them read-only:", input.tools),
      input.tools !== undefined &&
        'Answer with JSON: {"calls": [{"tool": …, "input": {…}}]} to look further, or {"answer": {…}}.',
      input.tools !== undefined && ANSWER_RULES,
    ),
  }),
});

/** The number of search rounds left, as stated to the model after every round. */
export function roundsText(left: number): string {
  if (left <= 0) return "No round is left: answer now.";
  return `If this is not enough, look further; ${left === 1 ? "1 round is" : `${left} rounds are`} left. Never repeat a call.`;
}

function earlier(said: z.output<typeof talk>): string[] {
  if (said.length === 0) return [];
  const text = said.map((one) => `Q: ${one.question}\nA: ${one.answer}`).join("\n");
  return ["Said before in this conversation:", quoted("talk", text)];
}

/** Do records or pictures show what an answer claims? Asked if fields of records alone do not decide. */
export const doesItShow = definePrompt({
  id: "r4/does-it-show",
  version: 3,
  form: "json",
  input: z.object({
    question,
    now: z.string().max(64),
    /** The whole answer that the claims belong to. */
    answer: z.string().max(2_000).optional(),
    claims: z.array(z.string().max(2_000)).min(1).max(12),
    evidence: seen,
    images: z.int().min(0).max(4).default(0),
  }),
  output: z.object({
    /** The reasoning comes before the verdicts, so that a model does it. */
    working: z.string().max(4_000).nullish(),
    verdicts: z.array(z.enum(["yes", "no", "unclear"])).max(12),
  }),
  images: { least: 0, most: 4 },
  maxTokens: 600,
  render: (input) => ({
    system: systemOf(
      "You check claims about a place against what a robot saw of it. You go by what is shown and by nothing else.",
    ),
    user: lines(
      "Asked was:",
      quoted("question", input.question),
      `It is now ${input.now}.`,
      input.answer !== undefined && lines("The answer was:", quoted("answer", input.answer)),
      input.images > 0 && `${input.images} pictures go along.`,
      "The records; what was worked out of the memory is as sure as they are:",
      quoted("records", input.evidence === "" ? "nothing" : input.evidence),
      "The claims, parts of the answer in its order:",
      quoted("claims", input.claims.map((claim, n) => `${n + 1}. ${claim}`).join("\n")),
      SHOWN_RULES,
    ),
  }),
});

/** What counts as shown. */
const SHOWN_RULES =
  "Read each claim as what it says in answer to the question, of the thing and at the moment that the question means: " +
  "“it”, “the former” and “the second” are what question and answer name. Check every part of it: which thing, " +
  "what is said of it, which place, whence and whither, which time, each number, each comparison.\n" +
  "“yes”: all of it is so by the records. Other words for the same are the same: a synonym, a kind for its kind, what " +
  "a state plainly means, a clock time or a length of time in words, another unit, a number rounded as people " +
  "round it, who of two is meant. What follows from the numbers by reckoning is shown.\n" +
  "“no”: any part of it is otherwise by the records – another value, thing, room, order, direction, number, size, " +
  "moment – or it is true of another thing or moment than was asked for. Of two values that exclude each other the record's " +
  "is so. “All”, “both”, “only”, “none” and a number of things are false by one exception; what is known of the kind is all there is.\n" +
  "“unclear”: the records say neither. What is only likely, usual or left unmentioned is unclear, and so is what fits " +
  "the question and stands in no record.\n" +
  "A “no” to the question is a claim like any other: it is shown if the records show that it is not so.\n" +
  'Answer {"working": for each claim in a few words what the records say of each part of it, "verdicts": one of "yes", ' +
  '"no", "unclear" for each claim in its order}.';

/** How to write an answer; the same for the tool `answer` and for plain JSON. */
export const ANSWER_RULES =
  'In the answer, "status": answered; not-seen (never seen); looked-absent (looked, and it was not there); false-premise (what ' +
  "the question takes for granted is not so); ambiguous (several fit); insufficient (the records do not tell); unknowable " +
  '(no memory could: a taste, a price, the future, an order). "type": what was asked for; quantity for metres and m². ' +
  '"text": one short sentence, the reason where it is not answered. "cited": ids of the records that say so, at least one if ' +
  'answered. "claims": what the text says of records, each {"id", "is", "value" or "other" (id)}. "subject": id of the ' +
  'record (thing, room, event) whose place, time or size it is; "second": the other one of a distance or a duration. ' +
  '"moment", "measure": which is meant. "direction": left, right, front, behind. "counted": ids of all that were counted. ' +
  '"choice": the letter. "contradictions": what in the records speaks against it.';
