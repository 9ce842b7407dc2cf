import { type Asked, first, must } from "./asked.ts";
import { HAPPENING_RULES, isTime, pictured } from "./rules-happenings.ts";
import { isAt, isBinary, isCount, type Rule } from "./rules-things.ts";

/** The words on the shelf that holds a thing at a time, read from the thing's own history. */
function slotAt(a: Asked, id: string, timeUs = a.atUs): string | undefined {
  const host = a.truth.at(id, timeUs)?.supportedBy;
  const shelf = host === undefined ? undefined : a.truth.thing(host);
  return shelf?.category === "shelf" ? shelf.text : undefined;
}

/** The shelf with these words on it; there is one. */
function shelfOf(a: Asked, label: string): string | undefined {
  const found = a.truth.things.filter(({ category, text }) => category === "shelf" && text === label);
  return found.length === 1 ? found[0]!.id : undefined;
}

/** The label that the question names. */
function asked(a: Asked): string {
  return /\b[A-Z]-\d\d-\d\b/.exec(a.question.text)?.[0] ?? "";
}

const labelled = (a: Asked, sku: string | undefined): string[] =>
  a.truth
    .present(a.atUs)
    .filter((id) => a.truth.thing(id).category === "box" && a.truth.thing(id).text === sku);

/** The shelf was observed after the last time that anything was put there or taken away. */
function lookedSince(a: Asked, shelf: string): string | undefined {
  let changedUs = -Infinity;
  for (const { segments } of Object.values(a.truth.file.histories))
    segments.forEach(({ fromUs, placement }, i) => {
      const before = segments[i - 1]?.placement?.supportedBy === shelf;
      if (fromUs <= a.atUs && (placement?.supportedBy === shelf || before))
        changedUs = Math.max(changedUs, fromUs);
    });
  return must(a.clear(shelf, changedUs).length >= 3, `nobody looked at ${shelf} since it changed`);
}

/** The kinds that only warehouses and drives have. */
export const FAMILY_RULES: Readonly<Record<string, Rule>> = {
  "stock/where": (a) => isAt(a, a.targets[0]!),
  "drive/first-seen": HAPPENING_RULES["temporal/first-seen"]!,
  "drive/gap": HAPPENING_RULES["temporal/gap"]!,
  "stock/slot-of": (a) => must(slotAt(a, a.targets[0]!) === a.text, `it is in ${slotAt(a, a.targets[0]!)}`),
  "stock/in-slot": (a) => {
    const shelf = shelfOf(a, asked(a));
    const on = shelf === undefined ? [] : a.resting(shelf);
    const sku = on.length === 1 ? a.truth.thing(on[0]!).text : undefined;
    return first(
      must(sku !== undefined && a.text === `a box that says “${sku}”`, `in ${asked(a)} is ${on.join(", ")}`),
      lookedSince(a, shelf ?? ""),
    );
  },
  "stock/empty": (a) => {
    const shelf = shelfOf(a, asked(a));
    return first(
      must(shelf !== undefined, `no slot ${asked(a)}`),
      isBinary(a, a.resting(shelf!).length === 0),
      lookedSince(a, shelf!),
    );
  },
  "stock/count": (a) => {
    const sku = a.about<string>("sku");
    return first(
      isCount(a, labelled(a, sku).length),
      must(a.question.text.includes(sku), "it names the label"),
    );
  },
  "stock/zone": (a) =>
    first(
      must(
        a.roomNamed(a.text)?.id === a.place(a.targets[0]!)!.room,
        `it is in ${a.place(a.targets[0]!)!.room}`,
      ),
      isAt(a, a.targets[0]!),
    ),
  "stock/slot-before": (a) => {
    const { segments } = a.truth.file.histories[a.targets[0]!]!;
    const rests = segments.filter(({ fromUs, path }) => fromUs <= a.atUs && path === undefined);
    const before = rests.at(-2)?.placement?.supportedBy;
    const label = before === undefined ? undefined : a.truth.thing(before).text;
    return must(label === a.text, `it was in ${label}`);
  },
  "stock/arrived": (a) => {
    const came = a.truth.file.events.filter(({ type, thing }) => type === "add" && thing === a.targets[0]);
    const seenUs = a.clear(a.targets[0]!)[0]!.timeUs;
    return first(
      must(came.length === 1, `it came ${came.length} times`),
      isTime(a, came[0]!.timeUs),
      must(seenUs - came[0]!.timeUs <= 60e6, "it was seen much later"),
    );
  },
  "this/slot": (a) =>
    first(
      pictured(a, a.targets[0]!),
      must(slotAt(a, a.targets[0]!) === a.text, `it is in ${slotAt(a, a.targets[0]!)}`),
    ),
  "this/alike": (a) =>
    first(pictured(a, a.targets[0]!), isCount(a, labelled(a, a.truth.thing(a.targets[0]!).text).length - 1)),
  "drive/passed": (a) => {
    const noun = a.about<string>("noun");
    const all = a.called(noun);
    const isThere = all.some((id) => a.clear(id).length >= 3);
    return first(isBinary(a, isThere), must(isThere || all.length === 0, `there is ${all.join(", ")}`));
  },
};
