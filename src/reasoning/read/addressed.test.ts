import { expect, it } from "vitest";
import { print, scan } from "../algebra/notation.ts";
import { askedOf, robotsNamed, spokenTo } from "./addressed.ts";
import { sentencesOf } from "./tokens.ts";

it("asks one robot of what it saw, also where each of a set is asked about", () => {
  expect(
    print(askedOf(scan('exists(doings(the(things(category: "mug")), verb: "see"))'), { agent: "robot-1" })),
  ).toBe(
    'by(exists(doings(witnessed(things(category: "mug"), agent: "robot-1"), verb: "see")), agent: "robot-1")',
  );
  const each = 'name(filter(things(), exists(doings(it(), verb: "see"))))';
  expect(print(askedOf(scan(each), { agent: "robot-1" }))).toBe(`by(${each}, agent: "robot-1")`);
});

it("knows how many robots a question names", () => {
  expect(robotsNamed(sentencesOf("Where did robot-2 start, and where is robot 1 now?"))).toBe(2);
  expect(robotsNamed(sentencesOf("Where did robot 2 start and where is it now?"))).toBe(1);
});

it("asks of one robot, at the time that is told of another", () => {
  const asked = scan('by(at(name(room(self())), when(stay(rooms(name: "hall")))), agent: "robot-2")');
  const of = (whose: string, then: string) =>
    `at(by(name(room(self())), agent: "${whose}"), by(when(stay(rooms(name: "hall"))), agent: "${then}"))`;
  expect(print(askedOf(asked, { agent: "robot-1", isWhen: true }))).toBe(of("robot-2", "robot-1"));
  expect(print(askedOf(asked, { agent: "robot-1" }))).toBe(of("robot-1", "robot-2"));
  expect(spokenTo(sentencesOf("While robot-1 was in the hall, where was robot-2?"))?.isWhen).toBe(true);
  expect(spokenTo(sentencesOf("Where was robot-2 while robot-1 was in the hall?"))?.isWhen).toBe(false);
});
