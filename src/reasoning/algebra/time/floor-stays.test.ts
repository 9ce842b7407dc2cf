import { expect, it } from "vitest";
import { madeEvent } from "../../../belief/happening.ts";
import { staysOnFloor } from "./floor-stays.ts";
import { eventsValue } from "./happenings.ts";

it("joins stays in rooms of a floor until somebody is elsewhere", () => {
  const stay = (room: string, fromS: number, toS: number) =>
    madeEvent(room, "enter", { fromUs: fromS * 1e6, toUs: toS * 1e6 }, { regionId: room });
  const hall = [stay("hall", 0, 10), stay("hall", 40, 50)];
  const upstairs = [stay("landing", 12, 20), stay("attic", 21, 38), stay("attic", 52, 60)];
  const value = (events: readonly ReturnType<typeof stay>[]) =>
    eventsValue(
      events.map((event) => ({ event, thing: undefined })),
      "upstairs",
      { p: 0.7 },
    );
  const joined = staysOnFloor(value(upstairs), value([...hall, ...upstairs]));
  expect(joined.events.map(({ validFromUs, validToUs }) => [validFromUs / 1e6, validToUs! / 1e6])).toEqual([
    [12, 38],
    [52, 60],
  ]);
});
