import type { Box } from "../../../geometry/index.ts";
import type { Description } from "../../recall/description.ts";
import { contradictionOf, detailFit } from "../../recall/matching.ts";
import { type Against, isLiveAt, type Thing } from "../../recall/thing.ts";
import type { Scope } from "../operator.ts";
import type { ThingsValue } from "../value.ts";
import { agreement, attributeAt } from "./attributes.ts";
import { completenessOf } from "./coverage.ts";
import { evidenceFor, likelier, supported, trust } from "./trust.ts";
import { apart } from "./twins.ts";

/** Of a set, those count that are as likely in it as not, and not far behind the likeliest. */
const MEMBER = 0.45;
const BESIDE_BEST = 0.6;
/** A thing that is gone is meant only where no other is. */
const GONE = 0.6;
/** Where one is meant, no more than these are told apart. */
const LIKELIEST = 24;
/** What changes while a thing stays: asked of the past, it is looked up as it was. */
const CHANGING: ReadonlySet<string> = new Set(["openness", "power", "fill", "occupancy", "lock", "making"]);

/** The things that fit a description, at the time that is meant; those that fit but in part are `elsewhere`. */
export async function findThings(description: Description, scope: Scope): Promise<ThingsValue> {
  const { recall, enough } = scope;
  const isAny = isAnything(description);
  const found = isAny ? await whatever(scope) : await named(description, scope);
  const weighed = await supported(await asOf(found.things, description, scope), recall);
  const distinct = await apart(enough?.few ? weighed.slice(0, LIKELIEST) : weighed, recall);
  const complete = await completenessOf(enough?.rooms, scope);
  return thingsValue(distinct, {
    phrase: isAny ? "thing" : description.phrase,
    complete,
    times: found.times,
    scope,
  });
}

function isAnything({ head, mods, attributes, owner }: Description): boolean {
  return (
    head === "object" && mods.length === 0 && Object.keys(attributes).length === 0 && owner === undefined
  );
}

interface Found {
  readonly things: readonly Thing[];
  readonly times: number;
}

async function named(description: Description, scope: Scope): Promise<Found> {
  const { recall, enough, broadened } = scope;
  const during = scope.during && { during: scope.during };
  if (description.head === "object") {
    const all = await whatever(scope);
    return {
      ...all,
      things: all.things.map((thing) => ({ ...thing, fit: detailFit(description, thing.state) })),
    };
  }
  const near = enough?.near && { near: enough.near };
  const things = await recall.things(description, { broadened, all: !enough?.few, ...during, ...near });
  const times = recall.shareOf(things);
  // Of a set too large to be read, at least that part is read whole which is asked for.
  if (times > 1 && enough?.rooms) {
    const here = await recall.things(description, { broadened, all: true, ...during, rooms: enough.rooms });
    return { things: here, times: recall.shareOf(here) };
  }
  return { things, times };
}

/** Everything there is, as far as it is enough to read. */
async function whatever({ recall, enough, during }: Scope): Promise<Found> {
  if (enough?.boxes) {
    const around = await Promise.all(
      enough.boxes.map(({ min, max }: Box) => recall.around({ type: "box", min, max }, during)),
    );
    return { things: distinctTracks(around.flat()), times: 1 };
  }
  if (enough?.rooms) {
    const inside = await Promise.all(
      enough.rooms.map(({ id }) => recall.everything({ roomId: id, ...(during && { during }) })),
    );
    return { things: distinctTracks(inside.flat()), times: 1 };
  }
  const things = await recall.everything(during ? { during } : {});
  return { things, times: recall.shareOf(things) };
}

function distinctTracks(things: readonly Thing[]): Thing[] {
  return [...new Map(things.map((thing) => [thing.trackId, thing])).values()];
}

/** Each with what speaks against it: what it is instead, by what is firmly known; and whether it is gone. */
async function asOf(things: readonly Thing[], description: Description, scope: Scope): Promise<Thing[]> {
  const isPast = scope.during !== undefined;
  const asked = isPast ? Object.entries(description.attributes).filter(([name]) => CHANGING.has(name)) : [];
  const lasting = Object.entries(description.attributes).filter(([name]) => !isPast || !CHANGING.has(name));
  const still = { ...description, attributes: Object.fromEntries(lasting) };
  return Promise.all(
    things.map(async (thing) => {
      const against: Against[] = [];
      let { fit } = thing;
      const said = contradictionOf(still, thing.state);
      if (said)
        against.push({
          part: "attribute",
          says: said.attribute === "text" ? `says “${said.value}”` : `is ${said.value}`,
        });
      for (const [name, value] of asked) {
        const belief = await attributeAt(thing, name, scope);
        // The record has the value of today; the fit is mended for the one of then.
        const now = thing.state.attributes[name];
        const nowFit = now === undefined ? 1 : agreement(name, String(now.value), value);
        const thenFit = belief ? agreement(name, belief.value, value) : 1;
        fit = nowFit === 0 ? Math.min(1, fit / 0.12) : fit;
        if (thenFit > 0) continue;
        fit *= 0.12;
        against.push({ part: "attribute", says: `was ${belief!.value}` });
      }
      if (!isPast && !isLiveAt(thing, scope.recall.nowUs)) {
        fit *= GONE;
        against.push({ part: "gone", says: "is gone" });
      }
      return against.length > 0 ? { ...thing, fit, against } : thing;
    }),
  );
}

interface SetParts {
  readonly phrase: string;
  readonly complete: ThingsValue["complete"];
  readonly scope: Scope;
  readonly times?: number | undefined;
  readonly elsewhere?: readonly Thing[] | undefined;
  readonly lacking?: ThingsValue["lacking"];
  readonly where?: string | undefined;
}

/** A set out of candidates: members are those with nothing against them that are likely enough. */
export async function thingsValue(candidates: readonly Thing[], parts: SetParts): Promise<ThingsValue> {
  const best = Math.max(0, ...candidates.map(({ fit, against }) => (against ? 0 : fit)));
  const least = Math.max(MEMBER, best * BESIDE_BEST);
  const things: Thing[] = [];
  const elsewhere: Thing[] = [...(parts.elsewhere ?? [])];
  for (const thing of candidates)
    (thing.against === undefined && thing.fit >= least ? things : elsewhere).push(thing);
  return {
    kind: "things",
    things: things.sort(likelier),
    phrase: parts.phrase,
    p: things[0] ? await trust(things[0], parts.scope.recall) : 0.7,
    complete: parts.complete,
    evidence: evidenceFor(things),
    ...(parts.times !== undefined && parts.times > 1 && { times: parts.times }),
    ...(elsewhere.length > 0 && { elsewhere: elsewhere.sort(likelier) }),
    ...(parts.lacking && { lacking: parts.lacking }),
    ...(parts.where !== undefined && { where: parts.where }),
  };
}
