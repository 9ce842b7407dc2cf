import { type Asked, first, must } from "./asked.ts";
import { isCount, type Rule } from "./rules-things.ts";
import { awayM } from "./shapes.ts";
import type { TruthRoom } from "./truth.ts";

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  [...a].sort().join("|") === [...b].sort().join("|");

/** Everything known that serves the purpose, and nothing else. */
const serving = (a: Asked): string | undefined => {
  const affordance = a.about<string>("affordance");
  const fluent = a.about<string | undefined>("fluent");
  const found = a.truth
    .present(a.atUs)
    .filter((id) => a.truth.thing(id).affordances.includes(affordance) && a.isKnown(id))
    .filter((id) => fluent === undefined || a.truth.state(id, fluent, a.atUs) === a.about<string>("from"));
  const { answer } = a.question;
  const position = "position" in answer ? answer.position : undefined;
  const near = position !== undefined && found.some((id) => awayM(a.place(id)!.centre, position) < 0.01);
  return first(
    must(sameSet(found, a.targets), `serving are ${found.join(", ")}`),
    must(near, "the place is none of them"),
    must(
      found.some((id) => a.text.includes(a.truth.thing(id).name)),
      `"${a.text}" names none of them`,
    ),
  );
};

/** The rooms that are meant were all searched, and the answer lies in one. */
const places = (a: Asked, rooms: readonly TruthRoom[]): string | undefined => {
  const { answer, regions } = a.question;
  const position = answer.type === "position" ? answer.position : undefined;
  return first(
    must(
      sameSet(
        regions,
        rooms.map(({ id }) => id),
      ),
      `meant are ${rooms.map(({ id }) => id).join(", ")}`,
    ),
    must(
      position !== undefined && regions.includes(a.truth.roomOf(position)?.id ?? ""),
      "the place is elsewhere",
    ),
    must(
      regions.every((id) => a.lookedOver(id)),
      "not looked over",
    ),
  );
};

/** Lengths of paths from room to room through open doors, with straight lines inside: a bound, in the same order. */
function roomGraphM(a: Asked, to: string): number {
  const { openings, stairs } = a.truth.file.house;
  const start = a.question.start!.position;
  const target = a.place(to)!.centre;
  const gates = [
    ...openings
      .filter((o) => o.kind !== "window" && o.rooms[1] !== null)
      .filter((o) => o.thing === undefined || a.truth.state(o.thing, "openness", a.atUs) !== "closed")
      .map((o) => ({ ends: [o.centre, o.centre], rooms: [o.rooms[0], o.rooms[1]!] })),
    ...stairs.map(({ foot, head }) => ({
      ends: [foot, head],
      rooms: [a.truth.roomOf(foot)?.id ?? "", a.truth.roomOf(head)?.id ?? ""],
    })),
  ];
  const goal = a.place(to)!.room!;
  const startRoom = a.truth.roomOf(start)?.id ?? a.truth.frameOf(a.question.askedOf!, a.atUs)?.room ?? "";
  // Bellman–Ford over (gate, side): few gates, so simple and slow is fine.
  const best = gates.map(() => [Infinity, Infinity]);
  for (let round = 0; round < 2 * gates.length + 2; round++) {
    gates.forEach((gate, g) => {
      for (const side of [0, 1] as const) {
        const room = gate.rooms[side]!;
        let reach = room === startRoom ? awayM(start, gate.ends[side]!) : Infinity;
        gates.forEach((other, o) => {
          for (const exit of [0, 1] as const)
            if (o !== g && other.rooms[exit] === room)
              reach = Math.min(reach, best[o]![exit]! + awayM(other.ends[exit]!, gate.ends[side]!));
        });
        const [foot, head] = [gate.ends[0]!, gate.ends[1]!];
        const through = reach + Math.hypot(awayM(foot, head), foot.z - head.z);
        best[g]![side] = Math.min(best[g]![side]!, reach);
        best[g]![1 - side] = Math.min(best[g]![1 - side]!, through);
      }
    });
  }
  const direct = startRoom === goal ? awayM(start, target) : Infinity;
  const ways = gates.flatMap((gate, g) =>
    ([0, 1] as const).map((side) =>
      gate.rooms[side] === goal ? best[g]![side]! + awayM(gate.ends[side]!, target) : Infinity,
    ),
  );
  return Math.min(direct, ...ways);
}

export const PURPOSE_RULES: Readonly<Record<string, Rule>> = {
  "functional/what": serving,
  "functional/where": serving,
  "functional/action": serving,
  "knowledge/room-type": (a) =>
    must(a.room(a.place(a.targets[0]!)!.room)?.type === a.text, "another kind of room"),
  "knowledge/here": (a) => {
    const frame = a.truth.frameOf(a.question.askedOf!, a.atUs);
    return must(a.room(frame?.room)?.type === a.text, `it is in ${frame?.room}`);
  },
  "knowledge/sleeps": (a) => {
    const beds = a.truth.present(a.atUs).map((id) => a.truth.thing(id).category);
    const doubles = beds.filter((category) => category === "bed").length;
    return isCount(a, 2 * doubles + beds.filter((category) => category === "single bed").length);
  },
  "implicit/ambience": (a) => {
    const tags = a.about<string[]>("tags");
    return places(
      a,
      a.truth.rooms.filter(({ ambience }) => tags.every((tag) => ambience.includes(tag))),
    );
  },
  "implicit/activity": (a) =>
    places(
      a,
      a.truth.rooms.filter(({ type }) => type === a.about<string>("roomType")),
    ),
  "implicit/company": (a) => {
    const people = a.truth.present(a.atUs).filter((id) => a.truth.thing(id).type === "person");
    const still = people.filter((id) => {
      const segment = a.truth.file.histories[id]!.segments[a.truth.segmentIndex(id, a.atUs)]!;
      return segment.path === undefined && a.isKnown(id);
    });
    const { answer } = a.question;
    const p = answer.type === "position" ? answer.position : undefined;
    return first(
      must(sameSet(still, a.targets), `people are ${still.join(", ")}`),
      must(p !== undefined && still.some((id) => awayM(a.place(id)!.centre, p) < 0.01), "nobody is there"),
    );
  },
  "global/house": (a) => {
    const { answer } = a.question;
    const types = new Set(a.truth.rooms.filter(({ id }) => a.lookedOver(id)).map(({ type }) => type));
    return must(
      answer.type === "rubric" &&
        sameSet(
          [...types],
          answer.facts.map((fact) => fact[0]!),
        ),
      "other rooms",
    );
  },
  "global/room": (a) => {
    const room = a.question.regions[0];
    return first(
      must(
        a.targets.every((id) => a.place(id)?.room === room),
        "not all in the room",
      ),
      mentioned(a),
    );
  },
  "global/storage": (a) =>
    first(
      must(
        a.targets.every((id) => a.truth.thing(id).affordances.some((x) => x.startsWith("store "))),
        "no storage",
      ),
      mentioned(a),
    ),
  "nearest/walk": (a) => {
    const all = a.called(a.about<string>("noun"));
    const ways = all.map((id) => ({ id, m: roomGraphM(a, id) })).sort((x, y) => x.m - y.m);
    const { answer } = a.question;
    const p = answer.type === "position" ? answer.position : undefined;
    return first(
      must(sameSet(all, a.targets), `there are ${all.join(", ")}`),
      must(
        p !== undefined && awayM(p, a.place(ways[0]!.id)!.centre) < 0.01,
        `nearest is ${ways[0]!.id} at ${ways[0]!.m} m`,
      ),
    );
  },
};

/** Every fact is the category of one of the targets, and the other way round. */
function mentioned(a: Asked): string | undefined {
  const { answer } = a.question;
  const categories = new Set(a.targets.map((id) => a.truth.thing(id).category));
  const facts = answer.type === "rubric" ? answer.facts.map((fact) => fact[0]!) : [];
  return first(
    must(
      facts.every((fact) => categories.has(fact)),
      "a fact without a thing",
    ),
    must(facts.length >= Math.min(12, categories.size), "a thing without a fact"),
  );
}
