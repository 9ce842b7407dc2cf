import { COLOUR_NAMES } from "../../house/palette.ts";
import { type Asked, first, fits, must } from "./asked.ts";

/** Why nothing can be answered, derived again; what is returned is the fault. */
export function unanswerable(a: Asked): string | undefined {
  const { unanswerableReason: reason } = a.question;
  const { answer } = a.question;
  const status = answer.type === "none" ? answer.status : "";
  const stated = must(
    (reason === "never-seen" ? "not-seen" : reason) === status,
    `the reason is ${reason}, the status ${status}`,
  );
  return stated ?? missing(a) ?? premise(a);
}

function missing(a: Asked): string | undefined {
  const kind = a.about<string | undefined>("missing");
  const noun = a.about<string>("noun");
  if (kind === undefined) return undefined;
  const called = a.truth.things.filter((thing) => fits(thing, noun)).map(({ id }) => id);
  switch (kind) {
    case "nowhere":
      return must(called.length === 0, `there is ${called.join(", ")}`);
    case "label": {
      const says = a.about<string>("says");
      const saying = a.truth.things.filter(({ text }) => text === says).map(({ id }) => id);
      return first(
        must(saying.length === 0, `${saying.join(", ")} says so`),
        must(a.question.text.includes(`“${says}”`), "it quotes the words"),
      );
    }
    case "unseen":
      return must(
        called.every((id) => a.truth.sightings(id, a.atUs, 1, (agent) => a.sees(agent)).length === 0),
        `${called.join(", ")} was seen`,
      );
    case "removed": {
      const [thing, host] = a.targets as [string, string];
      const goneUs = a.truth.since(thing, a.atUs);
      return first(
        must(a.place(thing) === undefined, `${thing} is still there`),
        must(a.clear(thing).length >= 3, `${thing} was never seen`),
        must(a.clear(host, goneUs).length >= 3, `nobody looked at ${host} after that`),
      );
    }
    case "not-on": {
      const host = a.about<string>("host");
      const on = a.truth
        .present(a.atUs)
        .filter((id) => a.place(id)!.supportedBy === host || a.place(id)!.insideOf === host);
      return first(
        must(!on.some((id) => called.includes(id)), `there is one on ${host}`),
        must(a.isKnown(host), `${host} was not seen`),
      );
    }
    case "not-in": {
      const room = a.about<string>("room");
      return first(
        must(!called.some((id) => a.place(id)?.room === room), `there is one in ${room}`),
        must(a.lookedOver(room), `${room} was not looked over`),
      );
    }
    case "empty":
      return first(
        must(a.resting(a.targets[0]!).length === 0, `something is on ${a.targets[0]}`),
        must(a.isKnown(a.targets[0]!), `${a.targets[0]} was not seen`),
      );
    case "no-means":
      return must(
        !a.truth.things.some(({ affordances }) => affordances.includes(noun)),
        "there is something for it",
      );
    case "unvisited": {
      const room = a.about<string>("room");
      const inside = a.truth.frames.filter((f) => f.room === room && f.timeUs <= a.atUs && a.sees(f.agentId));
      const seen = a.truth
        .present(a.atUs)
        .filter((id) => a.place(id)!.room === room)
        .filter((id) => a.truth.sightings(id, a.atUs, 1, (agent) => a.sees(agent)).length > 0);
      return must(inside.length === 0 && seen.length === 0, `${room} was seen: ${seen.join(", ")}`);
    }
    case "colour": {
      const colour = a.about<string>("colour");
      const colours = called.map((id) => a.truth.thing(id).colour);
      return first(
        must(called.length === 1 && !colours.includes(colour), `there are ${colours.join(", ")}`),
        must((COLOUR_NAMES as readonly string[]).includes(colour), `${colour} is no colour`),
      );
    }
    default:
      return `unknown kind ${kind}`;
  }
}

function premise(a: Asked): string | undefined {
  const kind = a.about<string | undefined>("premise");
  if (kind === undefined)
    return must(a.about<string | undefined>("missing") !== undefined, "no reason given");
  const thing = a.targets[0]!;
  const happened = a.truth.file.events.filter(
    (e) => (e.thing === thing || e.other === thing) && e.timeUs <= a.atUs,
  );
  const moved = happened.some(({ type }) => ["move", "carry", "twin-swap", "remove", "add"].includes(type));
  if (kind === "motion") return must(a.truth.thing(thing).type !== "person" && !moved, `${thing} did move`);
  return must(!moved, `${thing} was moved`);
}
