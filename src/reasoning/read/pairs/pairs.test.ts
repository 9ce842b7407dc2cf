import { afterEach, describe, expect, it } from "vitest";
import { print } from "../../algebra/notation.ts";
import type { Operator } from "../../algebra/operator.ts";
import { addOperator } from "../../algebra/table.ts";
import { numberValue } from "../../algebra/value.ts";
import { bySays } from "../by-says.ts";
import { goesOn } from "../placeholders.ts";
import { type Asked, read } from "../read.ts";
import { sentencesOf } from "../tokens.ts";
import { sourceOf } from "../trained/source.ts";
import { Pairs } from "./index.ts";

const asked: Asked = { nowUs: 1_780_000_000_000_000, names: async () => [], people: new Set(["anna"]) };

async function best(question: string, more: Partial<Asked> = {}): Promise<string> {
  const [first] = await read(question, { ...asked, ...more });
  return first!.parts.map(print).join(" ;; ");
}

describe("a pair of the shipped file", () => {
  it("is read with other things in its place", async () => {
    expect(await best("Is the old dishwasher in the kitchen running?")).toBe(
      'is(the(in(things(category: "dishwasher", words: ["old"]), rooms(name: "kitchen"))), attribute: "power", value: "on")',
    );
    expect(await best("What is on either side of the red armchair?")).toBe(
      'name(relate(things(), the(things(category: "armchair", colour: "red")), relation: "left")) ;; name(relate(things(), the(things(category: "armchair", colour: "red")), relation: "right"))',
    );
  });

  it("is read behind a remark", async () => {
    expect(await best("I'm off to bed. Is the oven off?")).toBe(
      'is(the(things(category: "oven")), attribute: "power", value: "off")',
    );
  });

  it("is read as a code alone, which no other word is", async () => {
    expect(await best("QZ-17-3?")).toBe('describe(called(name: "qz-17-3"))');
    expect(await best("What's in slot C-04-2?")).toBe('name(held(called(name: "c-04-2")))');
    expect(await best("Is dock 7 free?")).toBe('none(held(called(name: "dock 7")))');
    expect(await best("Bananas?")).not.toContain("called(");
  });

  it("goes on from the question before", async () => {
    const history = ["Is there a candle in the hall?"];
    expect(await best("Then what about a torch?", { history })).toBe('again(things(category: "torch"))');
    expect(await best("How do you know?", { history })).toBe("grounds(previous())");
    expect(await best("And the green one?", { history })).toBe('again(the(things(colour: "green")))');
    expect(await best("How do you know?")).not.toContain("grounds(");
  });

  it("carries what was a rule for words", async () => {
    expect(await best("hallway visits: how many?")).toBe('count(stay(rooms(name: "hallway")))');
    expect(await best("How many bathrooms?")).toBe('count(rooms(name: "bathroom"))');
    expect(await best("How many free seats are there?")).toBe(
      'count(filter(things(category: "seat"), is(it(), attribute: "occupancy", value: "free")))',
    );
    expect(await best("Where was the mug before?")).toContain(
      'before(when(changes(the(things(category: "mug"))',
    );
    expect(await best("How many people can sit on the stools, one on each?")).toBe(
      'total(things(category: "stool"), capacity(it(), verb: "sit"))',
    );
    expect(await best("Which poster is the coolest one?")).toBe('refuse(reason: "taste")');
    expect(await best("Which poster is the smallest one?")).toMatch(/^name\(least\(/);
    expect(await best("Windows per room?")).toMatch(/^each\(rooms\(\), count\(/);
    expect(await best("Where is the zorbleflax?")).toBe('place(the(things(category: "zorbleflax")))');
    expect(await best("What hangs on the wall?")).toBe(
      'name(relate(things(), things(category: "wall"), relation: "on"))',
    );
  });

  it("is not taken for what only looks like it", async () => {
    expect(await best("What is not on the floor?")).not.toBe(await best("What is on the floor?"));
    expect(await best("What is on the table?")).toBe(
      'name(relate(things(), the(things(category: "table")), relation: "on"))',
    );
  });
});

describe("a robot that is called by its name", () => {
  it("is asked of its own way and of what it saw", async () => {
    expect(await best("Robot 2, where are you?")).toBe('by(place(self()), agent: "robot 2")');
    expect(await best("What did you see in the kitchen, robot-1?")).toMatch(
      /^(name\(witnessed\(|by\(name\(affected\().*rooms\(name: "kitchen"\).*agent: "robot-1"\)+$/,
    );
    expect(await best("Where did robot 2 go first?")).toContain('agent: "robot 2"');
  });
});

describe("several questions in one", () => {
  it("are read one by one", async () => {
    const parts = (await read("Where are my keys and is the door locked and who was here?", asked))[0]!.parts;
    expect(parts.map(({ op }) => op)).toEqual(["place", "is", "at"]);
  });
});

const weight: Operator = {
  name: "weight",
  says: "how heavy things are: their weight in kilograms",
  takes: [{ name: "things", kinds: ["things"] }],
  gives: "number",
  run: async () => numberValue(1, "1", { p: 1 }),
};

describe("an operator of a program's own", () => {
  let takeAway = () => {};
  afterEach(() => takeAway());

  it("is understood in other words by one pair", async () => {
    takeAway = addOperator(weight);
    const pairs = Pairs.shipped().with(
      'How heavy is the suitcase?\tweight(the(things(category: "suitcase")))',
    );
    const meant = (thing: string) => `weight(the(things(category: "${thing}")))`;
    expect(await best("How heavy is the box?", { pairs })).toBe(meant("box"));
    expect(await best("Please tell me, how heavy is my bag?", { pairs })).toBe(meant("bag"));
    expect(await best("And how heavy would the table be?", { pairs })).toBe(meant("table"));
  });

  it("is proposed by its line in the table, on what the question names", () => {
    const suggested = () => {
      const words = sourceOf(sentencesOf("weight of the suitcase in kilograms"));
      return bySays({ words, nowUs: asked.nowUs, rooms: new Set() }).map(({ parts }) => print(parts[0]!));
    };
    expect(suggested()).not.toContain('weight(the(things(category: "suitcase")))');
    takeAway = addOperator(weight);
    expect(suggested()).toContain('weight(the(things(category: "suitcase")))');
  });

  it("has a name of its own", () => {
    expect(() => addOperator({ ...weight, name: "place" })).toThrow(/already/);
  });
});

describe("a file of pairs", () => {
  it("says which line is none", () => {
    expect(() => new Pairs().add("Where is it?\tplace(")).toThrow(/line 1/);
    expect(() => new Pairs().add("# fine\nWhere is it?\tnowhere()")).toThrow(/line 2.*no operator/);
  });

  it("holds no two of one form that mean otherwise, with a question before or without", () => {
    const known = new Map<string, string>();
    const twice: string[] = [];
    for (const { form, parts, pair } of Pairs.shipped().templates) {
      // In a conversation the same words may continue the previous question.
      const key = JSON.stringify([form, parts.some(goesOn)]);
      const means = JSON.stringify(parts);
      if (known.has(key) && known.get(key) !== means) twice.push(pair);
      known.set(key, means);
    }
    expect(twice).toEqual([]);
  });

  it.each([
    ["Are the blue slippers still there?", "all(the("],
    ["Is the blue kettle still there?", "within(the("],
  ])("asks whether what is still there is in the house: %s", async (question, begins) => {
    const read = await best(question, { pairs: Pairs.shipped() });
    expect(read).toContain(begins);
    expect(read).toContain("house()");
  });

  it("of a site is preferred to the shipped one", async () => {
    const pairs = Pairs.shipped().with(
      'Is the kiln running?\tis(the(things(category: "kiln")), attribute: "state", value: "hot")',
    );
    expect(await best("Is the kiln running?", { pairs })).toContain('value: "hot"');
  });
});
