import { describe, expect, test } from "vitest";
import type { AnswerRecord } from "../schema/index.ts";
import { exhaustedEnding, unfinished } from "./ending.ts";
import type { Belief } from "./inquiry/inquiry.ts";
import type { Part } from "./inquiry/part.ts";
import type { Survey } from "./survey.ts";

const need = { key: "k", kind: "all-of", categories: ["chair"], rooms: [], expression: undefined } as const;
const belief = (state: Part["state"], text = "4"): Belief => ({
  answer: { text, status: "answered", confidence: 0.96, count: 4 } as AnswerRecord,
  parts: [{ need, state, p: 0.9, candidates: [], usual: [] }],
  isSettled: state !== "open",
  expression: undefined,
});
/** A place with closed doors to named rooms, where the x of a stand is the room's number. */
function place(
  rooms: readonly (string | undefined)[],
  more: { reachable?: number; stairs?: true } = {},
): Survey {
  const doors = rooms.map((_, n) => ({ isClosedDoor: true, stand: { positionInWorld: { x: n } } }));
  const one = {
    hidden: [...doors, ...(more.stairs ? [{ flight: {} }] : [])],
    frontiers: [],
    reachable: new Array(more.reachable ?? 0).fill({ gainM2: 1, isOpening: false }),
    map: { roomAt: ({ x }: { x: number }) => (rooms[x] === undefined ? undefined : { name: rooms[x] }) },
  };
  return { ...one, storeys: [one] } as unknown as Survey;
}
const never = () => false;

describe("the end of a run with doors that stayed closed", () => {
  test("is unreachable and names them, however sure the answer is", () => {
    expect(exhaustedEnding(belief("open"), place(["hallway", "hallway", "kitchen"]), never)).toEqual({
      end: "unreachable",
      why: "nobody could look behind the closed doors in the hallway and in the kitchen",
    });
    expect(exhaustedEnding(belief("open"), place([], { stairs: true }), never).why).toContain("stairs");
    expect(exhaustedEnding(belief("open"), place([]), never).end).toBe("answered");
    expect(exhaustedEnding(belief("found"), place(["hallway"]), never).end).toBe("answered");
  });

  test("makes the answer unsure, and the answer says so", () => {
    const one = unfinished(belief("open", "no."), place(["hallway"]), "unreachable");
    expect(one.text).toBe("no, but I could not look behind the closed door in the hallway");
    expect(one.confidence).toBeLessThan(0.5);
    expect(unfinished(belief("open"), place(["hallway", undefined]), "unreachable").confidence).toBeLessThan(
      one.confidence,
    );
    for (const reachable of [0, 1, 3]) {
      const cut = unfinished(belief("open"), place([], { reachable }), "budget");
      expect(cut.text).toBe("4, but I have not looked everywhere");
      expect(cut.confidence).toBeLessThan(0.5);
    }
  });

  test("leaves an answer alone that needs nothing more", () => {
    const found = belief("found");
    expect(unfinished(found, place(["hallway"]), "unreachable")).toBe(found.answer);
    const open = belief("open");
    expect(unfinished(open, place([]), "explored")).toBe(open.answer);
  });
});
