import { type Asked, first, must, PIXELS } from "./asked.ts";
import { isBinary, isCount, isQuantity, type Rule } from "./rules-things.ts";
import { awayM, bearingDeg } from "./shapes.ts";
import type { TruthEvent, TruthFrame, TruthPlacement } from "./truth.ts";

const S = 1_000_000;
const MOVES = ["move", "carry", "twin-swap"];

export const isTime = (a: Asked, atUs: number): string | undefined => {
  const { answer } = a.question;
  const parts = answer.type === "compound" ? answer.parts : [answer];
  const said = parts.find((part) => part.type === "time");
  const off = said?.type === "time" ? Math.abs(said.atUs - atUs) : Infinity;
  return must(off < 1000, `expected ${atUs}, off by ${off / S} s`);
};

const isDuration = (a: Asked, seconds: number, slack: number): string | undefined => {
  const { answer } = a.question;
  const said = answer.type === "duration" ? answer.durationS : Number.NaN;
  return must(Math.abs(said - seconds) <= slack, `measured ${seconds} s, the answer says ${said}`);
};

const firstUs = (a: Asked, id: string): number => a.clear(id)[0]?.timeUs ?? Number.NaN;
const lastUs = (a: Asked, id: string): number => a.clear(id).at(-1)?.timeUs ?? Number.NaN;

/** Unbroken stays of the agent in a room, from its frames. */
const stays = (a: Asked): { room: string; fromUs: number; toUs: number }[] => {
  const own = a.truth.frames.filter(
    (f) => f.agentId === a.question.askedOf && f.timeUs <= a.atUs && f.room !== null,
  );
  const found: { room: string; fromUs: number; toUs: number }[] = [];
  own.forEach((frame, i) => {
    if (i === 0 || own[i - 1]!.room !== frame.room)
      found.push({ room: frame.room!, fromUs: frame.timeUs, toUs: frame.timeUs });
    found.at(-1)!.toUs = frame.timeUs;
  });
  return found;
};

const staysIn = (a: Asked): ReturnType<typeof stays> =>
  stays(a).filter(({ room }) => room === a.question.regions[0]);

/** What happened to a thing until now, oldest first. */
const moves = (a: Asked, id: string, sinceUs = -Infinity): TruthEvent[] =>
  a.truth.file.events.filter(
    (e) =>
      MOVES.includes(e.type) &&
      (e.thing === id || e.other === id) &&
      e.timeUs > sinceUs &&
      e.timeUs <= a.atUs,
  );

/** Both ends of the last move, whichever of a pair of twins is meant. */
const lastMove = (a: Asked, id: string): { from: TruthPlacement; to: TruthPlacement } | undefined => {
  const event = moves(a, id).at(-1);
  if (typeof event?.from !== "object" || typeof event.to !== "object") return undefined;
  return event.thing === id ? { from: event.from, to: event.to } : { from: event.to, to: event.from };
};

const isPlace = (a: Asked, place: TruthPlacement | undefined): string | undefined => {
  const { answer } = a.question;
  const p = answer.type === "text" ? answer.position : undefined;
  if (place === undefined) return "no such place";
  // A drawer may have taken it along for less than its depth.
  const near =
    p !== undefined && Math.hypot(p.x - place.centre.x, p.y - place.centre.y, p.z - place.centre.z) < 0.6;
  return must(
    a.question.options !== undefined || (near && a.saysPlace(a.text, place)),
    `"${a.text}" is not the place`,
  );
};

/** The noticeable things of some events. */
const setOf = (
  a: Asked,
  events: readonly TruthEvent[],
  noticed: (id: string) => boolean,
): string | undefined => {
  const { answer } = a.question;
  const ids = events.flatMap((e) => [e.thing, ...(e.other === undefined ? [] : [e.other])]);
  const seen = [...new Set(ids)].filter(noticed);
  const names = seen.map((id) => a.truth.thing(id).name).sort();
  const said = answer.type === "set" ? [...answer.items].sort() : [];
  return must(names.join("|") === said.join("|"), `found ${names.join(", ")}`);
};

const glimpsed = (a: Asked, id: string, sinceUs = -Infinity): boolean =>
  a.truth.sightings(id, a.atUs, 1).some(({ timeUs }) => timeUs >= sinceUs);

const eventsOf = (a: Asked, types: readonly string[]): TruthEvent[] =>
  a.truth.file.events.filter(
    (e) => types.includes(e.type) && e.timeUs > a.about<number>("fromUs") && e.timeUs <= a.atUs,
  );

/** Furniture on one side of a pose: exactly the target, in a sector a little narrower than the generator's. */
const onlyOnSide = (
  a: Asked,
  side: string,
  pose: { x: number; y: number; yawRad: number },
  timeUs: number,
) => {
  const room = a.about<string>("room");
  return a.truth.things
    .filter(({ id }) => {
      const place = a.truth.at(id, timeUs);
      if (place === undefined || place.room !== room || !a.isFloorFurniture(id, timeUs)) return false;
      const bearing = bearingDeg(pose, pose.yawRad, place.centre);
      const off = Math.abs(bearing - (side === "left" ? 90 : -90));
      return off < 50 && awayM(pose, place.centre) < 3.1;
    })
    .map(({ id }) => id);
};

const poseOf = (a: Asked): { pose: { x: number; y: number; yawRad: number }; timeUs: number } | undefined => {
  const { frame } = a.question;
  if (frame?.atUs !== undefined) {
    const seen = a.truth.frameOf(a.question.askedOf!, frame.atUs);
    return seen === undefined || Math.abs(seen.timeUs - frame.atUs) > 600_000
      ? undefined
      : { pose: seen, timeUs: frame.atUs };
  }
  if (frame?.position === undefined || frame.yawRad === undefined) return undefined;
  return { pose: { ...frame.position, yawRad: frame.yawRad }, timeUs: a.atUs };
};

const sideRule: Rule = (a) => {
  const at = poseOf(a);
  if (at === undefined) return "no frame near that moment";
  const found = onlyOnSide(a, a.about<string>("side"), at.pose, at.timeUs);
  return first(
    must(found.length === 1 && found[0] === a.targets[0], `on that side: ${found.join(", ")}`),
    must(a.isName(a.text, a.targets[0]!), `"${a.text}" does not name it`),
  );
};

const walked = (a: Asked): { from: TruthPlacement; to: TruthPlacement; frames: TruthFrame[] } => {
  const [fromUs, toUs] = [a.about<number>("fromUs"), a.about<number>("toUs")];
  const person = a.targets[0]!;
  const frames = a.truth.frames.filter(
    (f) =>
      f.agentId === a.question.askedOf &&
      f.timeUs >= fromUs &&
      f.timeUs <= toUs &&
      (f.seen.get(person)?.pixels ?? 0) >= PIXELS,
  );
  return { from: a.truth.at(person, fromUs)!, to: a.truth.at(person, toUs)!, frames };
};

export const HAPPENING_RULES: Readonly<Record<string, Rule>> = {
  "temporal/last-seen": (a) => isTime(a, lastUs(a, a.targets[0]!)),
  "temporal/first-seen": (a) => isTime(a, firstUs(a, a.targets[0]!)),
  "temporal/before": (a) => {
    const gap = firstUs(a, a.targets[1]!) - firstUs(a, a.targets[0]!);
    return first(isBinary(a, gap > 0), must(Math.abs(gap) >= 15 * S, "too close to call"));
  },
  "temporal/gap": (a) => isDuration(a, (firstUs(a, a.targets[1]!) - firstUs(a, a.targets[0]!)) / S, 0.01),
  "ego/visited": (a) => isBinary(a, staysIn(a).length > 0),
  "ego/times": (a) => isCount(a, staysIn(a).length),
  "ego/duration": (a) =>
    isDuration(
      a,
      staysIn(a).reduce((sum, s) => sum + (s.toUs - s.fromUs) / S, 0),
      1,
    ),
  "ego/next-room": (a) => {
    const all = stays(a);
    const i = all.findIndex(({ room }) => room === a.question.regions[0]);
    return must(all[i + 1]?.room === a.roomNamed(a.text)?.id, `next came ${all[i + 1]?.room}`);
  },
  "ego/room-ago": (a) => {
    const frame = a.truth.frameOf(a.question.askedOf!, a.about<number>("atUs"));
    return must(
      frame?.room !== undefined && frame.room === a.roomNamed(a.text)?.id,
      `it was in ${frame?.room}`,
    );
  },
  "ego/distance": (a) => {
    const own = a.truth.frames.filter(
      (f) => f.agentId === a.question.askedOf && f.timeUs >= a.about<number>("fromUs") && f.timeUs <= a.atUs,
    );
    const way = own
      .slice(1)
      .reduce((sum, f, i) => sum + Math.hypot(f.x - own[i]!.x, f.y - own[i]!.y, f.z - own[i]!.z), 0);
    return isQuantity(a, way, Math.max(0.8, way * 0.1));
  },
  "change/moved": (a) => isBinary(a, moves(a, a.targets[0]!).length > 0),
  "change/where-before": (a) => isPlace(a, lastMove(a, a.targets[0]!)?.from),
  "change/where-now": (a) => isPlace(a, lastMove(a, a.targets[0]!)?.to),
  "change/what-moved": (a) =>
    setOf(a, eventsOf(a, MOVES), (id) => glimpsed(a, id, a.truth.since(id, a.atUs))),
  "change/what-gone": (a) =>
    setOf(a, eventsOf(a, ["remove"]), (id) => {
      const gone = eventsOf(a, ["remove"]).find((e) => e.thing === id)!;
      const host = typeof gone.from === "object" ? gone.from.supportedBy : undefined;
      return glimpsed(a, id) && host !== undefined && glimpsed(a, host, gone.timeUs);
    }),
  "change/what-new": (a) => setOf(a, eventsOf(a, ["add"]), (id) => glimpsed(a, id)),
  "change/state": (a) => {
    const [fluent, fromUs] = [a.about<string>("fluent"), a.about<number>("fromUs")];
    const before = a.truth.state(a.targets[0]!, fluent, fromUs);
    return isBinary(a, a.truth.state(a.targets[0]!, fluent, a.atUs) !== before);
  },
  "predictive/stays": (a) => {
    const untilUs = a.about<number>("untilUs");
    const then = a.truth.at(a.targets[0]!, untilUs);
    const now = a.place(a.targets[0]!)!;
    const away =
      then === undefined ? Infinity : Math.hypot(then.centre.x - now.centre.x, then.centre.y - now.centre.y);
    const events = a.truth.file.events.filter(
      (e) =>
        (MOVES.includes(e.type) || e.type === "remove") &&
        (e.thing === a.targets[0] || e.other === a.targets[0]) &&
        e.timeUs > a.atUs &&
        e.timeUs <= untilUs,
    );
    return first(
      isBinary(a, events.length === 0),
      must(events.length > 0 || away < 0.6, "it left without an event"),
    );
  },
  "carried/what": (a) => {
    const last = a.truth.file.events.filter(
      (e) => e.type === "carry" && e.who === a.targets[1] && e.endUs <= a.atUs,
    );
    return must(
      last.at(-1)?.thing === a.targets[0] && a.isName(a.text, a.targets[0]!),
      "something else came last",
    );
  },
  "carried/who": (a) => {
    const who = moves(a, a.targets[0]!).map((e) => e.who);
    return must(
      who.every((id) => id !== null && a.truth.thing(id).name === a.text),
      `moved by ${who.join(", ")}`,
    );
  },
  "carried/where-put": (a) => {
    const last = moves(a, a.targets[0]!).at(-1);
    return first(
      must(last?.type === "carry" && last.who === a.targets[1], "not carried last"),
      isPlace(a, a.place(a.targets[0]!)),
    );
  },
  "spatial/standing": (a) => {
    const [at, facing, thing] = a.targets.map((id) => a.place(id)!.centre);
    const yawRad = Math.atan2(facing!.y - at!.y, facing!.x - at!.x);
    const bearing = bearingDeg(at!, yawRad, thing!);
    const side =
      Math.abs(bearing) > 135 ? "behind" : Math.abs(bearing) < 45 ? "front" : bearing > 0 ? "left" : "right";
    return must(side === a.text, `it is ${side}, at ${bearing} degrees`);
  },
  "spatial/distance": (a) => {
    const [one, other] = a.targets.map((id) => a.place(id)!.centre);
    return isQuantity(a, Math.hypot(one!.x - other!.x, one!.y - other!.y, one!.z - other!.z), 0.011);
  },
  "spatial/past-ego": sideRule,
  "spatial/entering": sideRule,
  "spatial/past-ego-is": (a) => {
    const at = poseOf(a);
    if (at === undefined) return "no frame near that moment";
    const bearing = bearingDeg(at.pose, at.pose.yawRad, a.truth.at(a.targets[0]!, at.timeUs)!.centre);
    return isBinary(a, bearing > 0 === (a.about<string>("side") === "left"));
  },
  "motion/direction": (a) => {
    const { from, to, frames } = walked(a);
    const eye = a.truth.frameOf(a.question.askedOf!, a.about<number>("fromUs"))!;
    const heading = bearingDeg(from.centre, eye.yawRad, to.centre);
    const way =
      Math.abs(heading) < 45 ? "away" : Math.abs(heading) > 135 ? "towards" : heading > 0 ? "left" : "right";
    const { answer } = a.question;
    return first(
      must(frames.length >= 3, "not seen long enough"),
      must(answer.type === "motion" && answer.direction === way, `it went ${way}`),
    );
  },
  "motion/towards": (a) => {
    const { from, to } = walked(a);
    const mark = a.truth.at(a.targets[1]!, a.about<number>("fromUs"))!.centre;
    return isBinary(a, awayM(to.centre, mark) < awayM(from.centre, mark));
  },
  "motion/walking": (a) => {
    const atUs = a.about<number>("atUs");
    const [before, after] = [
      a.truth.at(a.targets[0]!, atUs - S / 4)!,
      a.truth.at(a.targets[0]!, atUs + S / 4)!,
    ];
    return isBinary(a, awayM(before.centre, after.centre) > 0.02);
  },
  "motion/speed": (a) => {
    const [fromUs, toUs] = [a.about<number>("fromUs"), a.about<number>("toUs")];
    const { path } =
      a.truth.file.histories[a.targets[0]!]!.segments[a.truth.segmentIndex(a.targets[0]!, fromUs)]!;
    const corners = (path ?? []).filter(({ timeUs }) => timeUs > fromUs && timeUs < toUs);
    const way = [
      a.truth.at(a.targets[0]!, fromUs)!.centre,
      ...corners.map((c) => c.position),
      a.truth.at(a.targets[0]!, toUs)!.centre,
    ];
    const sum = way.slice(1).reduce((total, p, i) => total + awayM(p, way[i]!), 0);
    return isQuantity(a, (sum * S) / (toUs - fromUs), 0.06);
  },
  "motion/own-turn": (a) => {
    const atUs = a.about<number>("atUs");
    const yaw = (t: number): number => a.truth.frameOf(a.question.askedOf!, t)!.yawRad;
    const turned = Math.sin(yaw(atUs + S) - yaw(atUs - S));
    const { answer } = a.question;
    const turn = turned > 0 ? "counter-clockwise" : "clockwise";
    return must(answer.type === "motion" && answer.turn === turn, `it turned ${turn}`);
  },
  "multimodal/first-seen": (a) => first(pictured(a, a.targets[0]!), isTime(a, firstUs(a, a.targets[0]!))),
  "multimodal/another": (a) => {
    const all = a.called(a.about<string>("noun")).sort();
    return first(
      pictured(a, a.targets[1]!),
      must(all.join("|") === [...a.targets].sort().join("|"), `there are ${all.join(", ")}`),
      isPlace(a, a.place(a.targets[0]!)),
    );
  },
  "multimodal/belongs": (a) =>
    first(pictured(a, a.targets[0]!), isPlace(a, lastMove(a, a.targets[0]!)?.from)),
  "compound/height-when": (a) => {
    const { answer } = a.question;
    const height =
      answer.type === "compound" && answer.parts[0]?.type === "quantity" ? answer.parts[0].quantity.value : 0;
    const off = Math.abs(height - a.place(a.targets[0]!)!.extent.z);
    return first(must(off < 0.006, `height off by ${off}`), isTime(a, lastUs(a, a.targets[0]!)));
  },
  "compound/colour-room": (a) => {
    const { answer } = a.question;
    const [colour, room] = answer.type === "compound" ? answer.parts.map(({ text }) => text) : [];
    const { place } = { place: a.place(a.targets[0]!)! };
    return must(
      colour === a.truth.thing(a.targets[0]!).colour && a.roomNamed(room ?? "")?.id === place.room,
      "another colour or room",
    );
  },
  "compound/where-when": (a) => {
    const { answer } = a.question;
    const where = answer.type === "compound" ? answer.parts[0]!.text : "";
    return first(
      must(a.saysPlace(where, a.place(a.targets[0]!)!), `"${where}" is not its place`),
      isTime(a, firstUs(a, a.targets[0]!)),
    );
  },
};

/** The picture shows the thing where the question says it does. */
export function pictured(a: Asked, id: string): string | undefined {
  const { image } = a.question;
  const frame = image && a.truth.frames.find((f) => f.agentId === image.agentId && f.timeUs === image.timeUs);
  const seen = frame?.seen.get(id);
  return must(
    seen !== undefined && seen.bbox.join() === image?.bbox.join(),
    `${id} is not in the picture there`,
  );
}
