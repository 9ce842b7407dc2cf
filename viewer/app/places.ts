interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A part of an answer that has a place. */
export interface Place {
  readonly id?: string;
  readonly name: string;
  readonly at: Point;
}

export interface Shown {
  readonly things: readonly Place[];
  readonly way: readonly Point[];
}

/** What to highlight, from the structured answer of any of the tools; of one thing in one place the first. */
export function placesOf(answer: Readonly<Record<string, unknown>>): Shown {
  const things: Place[] = [];
  const add = (from: Readonly<Record<string, unknown>>, name: unknown, place: unknown) => {
    const at = pointOf(place);
    const id = from["trackId"] ?? from["id"];
    if (at === undefined || things.some((one) => one.id === id && near(one.at, at))) return;
    things.push({ ...(typeof id === "string" && { id }), name: String(name ?? ""), at });
  };
  const items = Array.isArray(answer["items"]) ? answer["items"].filter(isObject) : [];
  // A life's rows are states of its one thing.
  const isLife = "isThere" in answer;
  for (const item of items)
    add(
      isLife ? answer : item,
      isLife ? item["stay"] : (item["name"] ?? item["category"] ?? item["why"] ?? item["kind"]),
      item["position"],
    );
  const position = answer["position"];
  if (isObject(position) && !things.some(({ at }) => near(at, pointOf(position["point"]))))
    add({}, answer["answer"], position["point"]);
  const to = answer["to"];
  if (isObject(to)) add(to, to["name"] ?? "here", to["position"]);
  const points = Array.isArray(answer["points"]) ? answer["points"] : [];
  return { things, way: points.map(pointOf).filter((point) => point !== undefined) };
}

function near(a: Point, b: Point | undefined): boolean {
  return b !== undefined && Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z) < 0.05;
}

function pointOf(value: unknown): Point | undefined {
  if (!isObject(value)) return undefined;
  const { x, y, z } = value;
  return typeof x === "number" && typeof y === "number" && typeof z === "number" ? { x, y, z } : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
