import type { Direction, Form, FormName, Marked } from "./expectation.ts";
import { UNITS } from "./expectation.ts";
import { explainThings, markThings } from "./lists.ts";
import {
  clockSeconds,
  clocksIn,
  countsIn,
  directionsIn,
  measuresIn,
  polarityOf,
  roomsIn,
  roomWord,
  type Said,
  saysAny,
  saysNone,
} from "./read-text.ts";
import { explainRefusal, markRefusal } from "./refusals.ts";

interface Marking<F> {
  /** Undefined for a right answer, else one line that says why it is wrong. */
  readonly wrong: (form: F, answer: Marked) => string | undefined;
  /** How it will be marked, for the writer. */
  readonly explain: (form: F) => string;
}

/** Each form with its marking. Text and typed field must both meet it; one of them must be present. */
export const MARKINGS: { readonly [N in FormName]: Marking<Form<N>> } = {
  yes: {
    wrong: ({ yes }, { binary, text }) => {
      const said = polarityOf(text);
      if (binary === undefined && said === undefined) return "neither yes nor no";
      if (said !== undefined && said !== yes) return `the text says ${said ? "yes" : "no"}`;
      return binary !== undefined && binary !== yes ? `the field says ${binary ? "yes" : "no"}` : undefined;
    },
    explain: ({ yes }) => `says ${yes ? "yes" : "no"}, in the text as in the field`,
  },
  count: {
    wrong: ({ count, tolerance }, { count: typed, text }) => {
      const isRight = (n: number) => Math.abs(n - count) <= tolerance;
      const said = countsIn(text);
      if (typed !== undefined && !isRight(typed)) return `the field says ${typed}`;
      if (typed !== undefined)
        return said.length > 0 && !said.some(isRight) ? `the text says ${said.join(", ")}` : undefined;
      const first = said[0] ?? countWithoutNumber(text);
      if (first === undefined) return "no number";
      return isRight(first) ? undefined : `the text says ${first}`;
    },
    explain: ({ count, tolerance }) => `says ${count}${tolerance > 0 ? ` ± ${tolerance}` : ""}`,
  },
  number: {
    wrong: ({ number, unit, tolerance }, answer) => {
      const { kind, factor } = UNITS[unit];
      return wrongValue(
        { value: number * factor, tolerance: tolerance * factor },
        typedValue(kind, answer),
        measuresIn(answer.text, kind),
      );
    },
    explain: ({ number, unit, tolerance }) => `says ${number} ${unit}, give or take ${tolerance}`,
  },
  things: { wrong: markThings, explain: explainThings },
  room: {
    wrong: ({ room }, answer) => wrongRoom(room, answer),
    explain: ({ room }) => `names the ${room.join(" or ")} first, and no other room in its place field`,
  },
  words: {
    wrong: ({ words: { all = [], none = [] } }, { text }) => {
      const missing = all.find((any) => !saysAny(text, any));
      if (missing !== undefined) return `does not say ${missing.join(" or ")}`;
      return none.length > 0 && saysAny(text, none) ? `says one of ${none.join(", ")}` : undefined;
    },
    explain: ({ words: { all = [], none = [] } }) =>
      [
        ...all.map((any) => `says ${any.join(" or ")}`),
        ...(none.length > 0 ? [`never ${none.join(" or ")}`] : []),
      ].join("; "),
  },
  time: {
    wrong: ({ time, toleranceS }, { time: typed, text, askedAtUs }) => {
      const secondOfDay = (us: number) => Math.floor(us / 1e6) % 86_400;
      return wrongValue(
        { value: clockSeconds(time), tolerance: toleranceS },
        typed && secondOfDay(typed.atUs),
        clocksIn(text, secondOfDay(askedAtUs)),
      );
    },
    explain: ({ time, toleranceS }) =>
      `says ${time} (or so long ago, or as a clock time), give or take ${toleranceS} s`,
  },
  place: {
    wrong: ({ place: { room, on = [], near = [] } }, answer) => {
      const elsewhere = room && wrongRoom(room, answer);
      if (elsewhere !== undefined) return elsewhere;
      const spot = [...on, ...near];
      return spot.length > 0 && !saysAny(answer.text, spot)
        ? `does not name ${spot.join(" or ")}`
        : undefined;
    },
    explain: ({ place: { room, on = [], near = [] } }) =>
      [
        ...(room ? [`names the ${room.join(" or ")} as the room`] : []),
        ...(on.length + near.length > 0 ? [`names ${[...on, ...near].join(" or ")}`] : []),
      ].join("; "),
  },
  route: {
    wrong: ({ route }, { text }) => {
      // Going from one hallway up to the next repeats the word.
      const wanted = route.map(roomWord).filter((room, i, all) => room !== all[i - 1]);
      const said = roomsIn(text);
      const isRight = [wanted, wanted.slice(1)].some((way) => way.join(">") === said.join(">"));
      return isRight ? undefined : `goes ${said.join(", ") || "nowhere"}`;
    },
    explain: ({ route }) =>
      `names the rooms ${route.join(", ")} in this order and no others; the first may be left out`,
  },
  direction: {
    wrong: ({ direction }, { text }) => {
      const said = directionsIn(text);
      if (!said.some((one) => direction.includes(one)))
        return said.length === 0 ? "no direction" : `says ${said.join(", ")}`;
      // "Behind me, above the table": up and down count only if they were asked for.
      const counts = (one: Direction) => !isVertical(one) || direction.some(isVertical);
      const other = said.find((one) => !direction.includes(one) && counts(one));
      return other === undefined ? undefined : `says ${other}`;
    },
    explain: ({ direction }) => `says ${direction.join(" or ")} and no other direction`,
  },
  refuse: { wrong: markRefusal, explain: explainRefusal },
};

const isVertical = (direction: Direction) => direction === "up" || direction === "down";

/** "There is a mug" counts one, "none" counts zero. */
function countWithoutNumber(text: string): number | undefined {
  if (saysNone(text)) return 0;
  return /\b(an?|only|once|single|just the)\b/i.test(text) ? 1 : undefined;
}

function typedValue(
  kind: "length" | "area" | "time",
  { quantity, durationS, time }: Marked,
): number | undefined {
  if (kind === "time") return durationS ?? time?.agoS;
  return quantity?.unit === (kind === "length" ? "m" : "m2") ? quantity.value : undefined;
}

/** Both must match if both are present; a text may be rounded. */
function wrongValue(
  wanted: { readonly value: number; readonly tolerance: number },
  typed: number | undefined,
  said: readonly Said[],
): string | undefined {
  const offBy = (value: number) => Math.abs(value - wanted.value);
  if (typed === undefined && said.length === 0) return "no such number";
  if (typed !== undefined && offBy(typed) > wanted.tolerance) return `the field is ${typed.toFixed(2)}`;
  const fits = said.some(({ value, slack }) => offBy(value) <= wanted.tolerance + slack);
  return said.length > 0 && !fits
    ? `the text says ${said.map(({ value }) => value.toFixed(2)).join(", ")}`
    : undefined;
}

function wrongRoom(rooms: readonly string[], { text, position }: Marked): string | undefined {
  const wanted = rooms.map(roomWord);
  const said = roomsIn(text);
  const region = position?.region === undefined ? undefined : roomsIn(position.region)[0];
  if (region !== undefined && !wanted.includes(region)) return `the field says ${position?.region}`;
  const first = region === undefined ? said[0] : said.find((room) => wanted.includes(room));
  if (first === undefined || !wanted.includes(first)) return `the text says ${said.join(", ") || "no room"}`;
  return undefined;
}
