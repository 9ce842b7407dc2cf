import type { HouseThing, Placement } from "../house/types.ts";
import { answerNames } from "./phrases.ts";
import type { Scope } from "./scope.ts";

/** Words for where something is: on or in what, and in which room; with accepted alternatives. */
export function placeWords(
  scope: Scope,
  thing: HouseThing,
  placement: Placement,
): { text: string; extra: string[] } {
  const info = scope.roomInfo(placement.room);
  const type = scope.house.rooms.find(({ id }) => id === placement.room)?.type;
  const room = info === undefined ? (type === undefined ? "" : ` in a ${type}`) : ` in ${info.phrase.dev}`;
  const support = placement.insideOf ?? placement.supportedBy;
  const host = support === undefined ? undefined : scope.thing(support);
  if (host === undefined || host.category === "floor") {
    const isOnFloor = host !== undefined && thing.type === "small";
    const text = !isOnFloor ? room.trim() : `on the floor${room}`;
    return { text: text === "" ? "in the house" : text, extra: room === "" ? [] : [room.trim()] };
  }
  if (host.category === "wall" || host.category === "facade")
    return { text: `on the wall${room}`, extra: ["on the wall", ...(room === "" ? [] : [room.trim()])] };
  if (host.category === "ceiling")
    return {
      text: `on the ceiling${room}`,
      extra: ["on the ceiling", ...(room === "" ? [] : [room.trim()])],
    };
  const preposition = placement.insideOf === undefined ? (host.type === "person" ? "with" : "on") : "in";
  const article = host.type === "person" ? "" : "the ";
  const names = answerNames(host);
  const said = [names.text, ...names.extra].map((name) => `${preposition} ${article}${name}`);
  return { text: `${said[0]}${room}`, extra: [...said, ...said.slice(1).map((words) => `${words}${room}`)] };
}
