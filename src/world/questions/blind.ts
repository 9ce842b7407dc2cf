import type { QuestionRecord } from "../../schema/index.ts";

/**
 * Answers that need no observation: from the words of the question and from what houses are usually like. Some
 * questions can be answered this way (R-EQA's complaint): they are tagged, not dropped.
 */
type Guess = string | number | boolean | undefined;
type Blind = (question: Asked) => Guess;
type Asked = Pick<QuestionRecord, "text" | "options"> & { readonly form: QuestionRecord["answer"]["type"] };

const COLOUR_OF: Readonly<Record<string, string>> = {
  toilet: "white",
  bathtub: "white",
  bath: "white",
  fridge: "white",
  refrigerator: "white",
  sink: "grey",
  plant: "green",
  door: "brown",
  table: "brown",
  desk: "brown",
  bookcase: "brown",
  television: "black",
  tv: "black",
  pan: "black",
  tyre: "black",
  radiator: "white",
  orange: "orange",
  banana: "yellow",
  apple: "red",
};

const ROOM_OF: Readonly<Record<string, string>> = {
  fridge: "kitchen",
  stove: "kitchen",
  cooker: "kitchen",
  kettle: "kitchen",
  pan: "kitchen",
  pot: "kitchen",
  plate: "kitchen",
  mug: "kitchen",
  sofa: "living room",
  couch: "living room",
  television: "living room",
  tv: "living room",
  "coffee table": "living room",
  bed: "bedroom",
  wardrobe: "bedroom",
  nightstand: "bedroom",
  dresser: "bedroom",
  toilet: "bathroom",
  bathtub: "bathroom",
  shower: "bathroom",
  washbasin: "bathroom",
  "washing machine": "laundry",
  dryer: "laundry",
  car: "garage",
  bicycle: "garage",
  desk: "office",
  monitor: "office",
  printer: "office",
  "dining table": "dining room",
  "shoe rack": "hallway",
  doormat: "hallway",
  "coat rack": "hallway",
  treadmill: "gym",
  "toy chest": "children's room",
};

const MATERIAL_OF: Readonly<Record<string, string>> = {
  table: "wood",
  chair: "wood",
  desk: "wood",
  bookcase: "wood",
  bed: "wood",
  door: "wood",
  mug: "ceramic",
  plate: "ceramic",
  toilet: "ceramic",
  bottle: "glass",
  window: "glass",
  mirror: "glass",
  book: "paper",
  towel: "cotton",
  shirt: "cotton",
  rug: "wool",
  fridge: "steel",
  stove: "steel",
  sofa: "fabric",
};

/** Purposes and what usually serves them. */
const SERVES: Readonly<Record<string, string>> = {
  "dry my hands": "towel",
  "wash my hands": "washbasin",
  dishes: "kitchen sink",
  cook: "stove",
  dinner: "stove",
  tea: "kettle",
  "boil water": "kettle",
  sleep: "bed",
  nap: "bed",
  television: "television",
  news: "television",
  teeth: "washbasin",
  toilet: "toilet",
  loo: "toilet",
  shower: "shower",
  bath: "bathtub",
  rubbish: "rubbish bin",
  wrapper: "rubbish bin",
  clothes: "washing machine",
  hot: "turn on the fan",
  warm: "turn on the fan",
  cold: "turn on the radiator",
  chilly: "turn on the radiator",
};

const RESTING = ["closed", "off", "empty", "made", "free"];
const USUAL_ROOMS = "kitchen living room bedroom bathroom hallway dining room office";

/** Says yes, takes the first option and the commonest number. */
const yesSayer: Blind = ({ form }) =>
  ({ binary: true, choice: "A", count: 2, quantity: 1, duration: 60, motion: "left" })[form as string];

/** Says no, takes the last option, and otherwise admits to knowing nothing. */
const noSayer: Blind = ({ form, options }) => {
  if (form === "binary") return false;
  if (form === "choice") return String.fromCharCode(64 + options!.length);
  return form === "count" ? 1 : form === "motion" ? "right" : "unknown";
};

/** Uses what options give away: the middle number, the longest text. */
const optionReader: Blind = ({ form, options, text }) => {
  if (form === "binary") return !/ than | same /.test(text);
  if (form !== "choice") return form === "count" ? 3 : form === "quantity" ? 2 : undefined;
  const order = options!.map((option, i) => ({ i, value: Number(option), length: option.length }));
  const numeric = order.every(({ value }) => Number.isFinite(value));
  order.sort((a, b) => (numeric ? a.value - b.value : b.length - a.length) || a.i - b.i);
  return String.fromCharCode(65 + order[numeric ? 1 : 0]!.i);
};

/** Knows what houses are usually like. */
export const blindPrior: Blind = ({ text, form, options }) => {
  const words = text.toLowerCase();
  const known = commonsense(words);
  if (form === "choice") {
    const i = options!.findIndex((option) => known !== undefined && says(option, known));
    return String.fromCharCode(65 + Math.max(0, i));
  }
  if (form === "binary")
    return /same colou?r/.test(words) ? false : !RESTING.every((value) => !ends(words, value));
  if (form === "count") return /\bchairs\b/.test(words) ? 4 : /sleep|bed/.test(words) ? 4 : 1;
  if (form === "quantity")
    return /fast|speed|pace|rate/.test(words) ? 1.2 : /tall|high|height/.test(words) ? 0.8 : 2;
  if (form === "duration") return 30;
  return known;
};

/** Always gives the same answer: the commonest of each kind. */
const monotone: Blind = ({ text, form }) => {
  if (form === "binary") return true;
  if (form === "choice") return "C";
  if (form === "count") return 2;
  if (form === "text")
    return /colou?r/i.test(text) ? "white" : /room/i.test(text) ? "kitchen" : "on the table";
  if (form === "rubric") return USUAL_ROOMS;
  return undefined;
};

const ANSWERERS: readonly Blind[] = [yesSayer, noSayer, optionReader, blindPrior, monotone];

/** The share of blind baselines that answer a question correctly. */
export function blindAnswerable(question: QuestionRecord): number {
  const asked = { text: question.text, options: question.options, form: formOf(question) };
  const right = ANSWERERS.filter((blind) => isRight(question, blind(asked as Asked)));
  return right.length / ANSWERERS.length;
}

/** The form that the words ask for; an unanswerable question looks like any other of its kind. */
function formOf({ answer, text }: QuestionRecord): Asked["form"] {
  if (answer.type !== "none") return answer.type;
  if (/^(is|are|was|were|do|does|did|has|have|would|will|can|could)\b/i.test(text)) return "binary";
  return /how many|number/i.test(text) ? "count" : "text";
}

function isRight({ answer, extra, tolerance }: QuestionRecord, guess: Guess): boolean {
  if (guess === undefined) return false;
  const within = (truth: number, slack: number): boolean =>
    typeof guess === "number" && Math.abs(guess - truth) <= Math.max(slack, (tolerance.share ?? 0) * truth);
  switch (answer.type) {
    case "binary":
      return guess === answer.value;
    case "choice":
      return guess === answer.letter;
    case "count":
      return guess === answer.count;
    case "quantity":
      return within(answer.quantity.value, tolerance.m ?? 0);
    case "duration":
      return within(answer.durationS, tolerance.s ?? 0);
    case "motion":
      return guess === answer.direction || guess === answer.turn;
    case "text":
      return (
        typeof guess === "string" && [answer.text, ...extra].some((truth) => plain(truth) === plain(guess))
      );
    case "rubric": {
      const hits = answer.facts.filter((fact) => fact.some((phrase) => String(guess).includes(phrase)));
      return hits.length >= 0.75 * answer.facts.length;
    }
    case "none":
      return guess === "unknown";
    default:
      return false;
  }
}

function commonsense(words: string): string | undefined {
  const lookUp = (table: Readonly<Record<string, string>>): string | undefined =>
    Object.entries(table).find(([word]) => new RegExp(`\\b${word}\\b`).test(words))?.[1];
  if (/colou?r/.test(words)) return lookUp(COLOUR_OF);
  if (/made of|material|stuff|built from/.test(words)) return lookUp(MATERIAL_OF);
  if (/ or /.test(words)) return RESTING.find((value) => new RegExp(`\\b${value}\\b`).test(words));
  if (/room/.test(words)) return lookUp(ROOM_OF);
  return lookUp(SERVES);
}

function ends(words: string, value: string): boolean {
  return new RegExp(`\\b${value}\\b`).test(words);
}

function says(option: string, known: string): boolean {
  return plain(option).includes(plain(known));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\b(the|a|an)\b/g, "")
    .replace(/[^a-z0-9 ]/g, "")
    .replace(/ +/g, " ")
    .trim();
}
