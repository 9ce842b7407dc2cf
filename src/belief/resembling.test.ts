import { describe, expect, it } from "vitest";
import { resembling } from "./resembling.ts";
import type { KnownThing } from "./thing.ts";

interface Seen {
  readonly id: string;
  readonly category?: string;
  readonly namedBy?: string;
  readonly sizeM?: number;
  readonly colour?: string;
  readonly maybe?: readonly { readonly category: string; readonly p: number }[];
}

function thing({ id, category = "thing", namedBy, sizeM = 0.45, colour = "black", maybe }: Seen): KnownThing {
  const state = {
    id: `state-${id}`,
    category,
    name: `${colour} ${category}`,
    text: [],
    attributes: { colour: { value: colour, p: 0.9 } },
    validFromUs: 0,
    validToUs: null,
    namedBy,
    maybe,
  };
  const box = { min: { x: 0, y: 0, z: 0 }, max: { x: sizeM, y: sizeM / 2, z: sizeM / 2 } };
  return { state, trackId: id, category, name: state.name, box, fit: 1 } as unknown as KnownThing;
}

const memoryOf = (...seen: readonly Seen[]) => ({ nowUs: 10, everything: async () => seen.map(thing) });
const asked = (head: string, colour?: string) => ({
  head,
  mods: [],
  attributes: colour === undefined ? {} : { colour },
  phrase: head,
});
const idsOf = async (...of: Parameters<typeof resembling>) =>
  (await resembling(...of)).map(({ thing: { trackId } }) => trackId);

const cushion = { id: "a", maybe: [{ category: "cushion", p: 0.2 }] };
const mayBeBag = { id: "b", maybe: [{ category: "backpack", p: 0.4 }] };

describe("things that could be what is asked for", () => {
  it("are those that the eyes nearly called so, then those of its size", async () => {
    expect(await idsOf(asked("backpack"), memoryOf(cushion, mayBeBag))).toEqual(["b", "a"]);
  });

  it("share one probability, of which some is left for none of them", async () => {
    const found = await resembling(asked("backpack"), memoryOf(cushion, mayBeBag));
    expect(found.reduce((sum, { p }) => sum + p, 0)).toBeLessThan(1);
    expect(found[0]!.p).toBeGreaterThan(found[1]!.p);
  });

  it("are none where nothing in particular resembles it", async () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ ...cushion, id: `c${n}` }));
    expect(await idsOf(asked("backpack"), memoryOf(...many))).toEqual([]);
    expect(await idsOf(asked("bed"), memoryOf({ ...cushion, sizeM: 2 }))).toEqual([]);
    expect(await idsOf(asked("mug"), memoryOf({ ...cushion, sizeM: 1.5 }))).toEqual([]);
  });

  it("are none of those with a sure name, nor those that a recording left without one", async () => {
    const sofa = { id: "s", category: "sofa", namedBy: "eyes" };
    expect(await idsOf(asked("backpack"), memoryOf(sofa, { id: "u" }, { id: "v", category: "box" }))).toEqual(
      [],
    );
  });

  it("have the colour that is asked for, where it was seen", async () => {
    expect(await idsOf(asked("backpack", "red"), memoryOf({ ...mayBeBag, colour: "red" }))).toEqual(["b"]);
    expect(await idsOf(asked("backpack", "red"), memoryOf(mayBeBag))).toEqual([]);
  });
});
