import type { FloorPlan } from "../../src/interfaces/mcp/floor-plan.ts";
import { Host, type ToolResult } from "./host.ts";
import { type Place, placesOf, type Shown } from "./places.ts";

const PLAN_URI = "loci://floorplan";
/** Rooms within this height above and below belong to the same storey. */
const STOREY_M = 1.5;
const MARGIN_M = 0.6;
const NAME_CHARS = 28;

const svg = document.querySelector<SVGSVGElement>("#plan")!;
const told = document.querySelector<HTMLElement>("#told")!;
let scene: string | undefined;

const host = new Host({
  onContext: ({ theme }) => {
    if (theme) document.documentElement.dataset["theme"] = theme;
  },
  onInput: (args) => {
    scene = typeof args["scene"] === "string" ? args["scene"] : undefined;
  },
  onResult: (result) => void show(result),
});
if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset["theme"] = "dark";
await host.connect();

async function show({ structuredContent = {} }: ToolResult): Promise<void> {
  const uri = scene === undefined ? PLAN_URI : `${PLAN_URI}/${encodeURIComponent(scene)}`;
  // A host that does not read resources for a page still shows the results, without walls.
  const plan = await host.readText(uri).then(
    (text) => JSON.parse(text) as FloorPlan,
    (): FloorPlan => ({ rooms: [] }),
  );
  draw(plan, placesOf(structuredContent));
}

/** From above, y up, metres as units. */
function draw(plan: FloorPlan, { things, way }: Shown): void {
  const rooms = storeyOf(plan.rooms, things[0]?.at.z ?? way[0]?.z ?? plan.robot?.z);
  const robot = plan.robot;
  const points = [
    ...rooms.flatMap(({ outline }) => outline),
    ...[...things.map(({ at }) => at), ...way, ...(robot ? [robot] : [])].map(({ x, y }) => [x, y] as const),
  ];
  if (points.length === 0) {
    svg.replaceChildren();
    told.textContent = "Nothing here has a place.";
    return;
  }
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => -y)];
  const [left, top] = [least(xs) - MARGIN_M, least(ys) - MARGIN_M];
  const [width, height] = [most(xs) + MARGIN_M - left, most(ys) + MARGIN_M - top];
  svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  // Letters and dots keep their size at any scale.
  const unit = Math.max(width / Math.max(320, innerWidth), height / 420);
  svg.style.fontSize = `${12 * unit}px`;
  svg.replaceChildren(
    ...rooms.map(({ id, outline }) =>
      element("polygon", {
        class: "room",
        "data-id": id,
        points: outline.map(([x, y]) => `${x},${-y}`).join(" "),
      }),
    ),
    ...rooms.map(({ name, outline }) => {
      const x = outline.reduce((sum, corner) => sum + corner[0], 0) / outline.length;
      return label(name, x, least(outline.map((corner) => -corner[1])) + 16 * unit, "name");
    }),
    element("polyline", { class: "way", points: way.map(({ x, y }) => `${x},${-y}`).join(" ") }),
    ...(robot ? [marked("robot", { name: "robot", at: robot }, unit)] : []),
    ...things.map((thing) => thingOf(thing, unit)),
  );
}

function thingOf(thing: Place, unit: number): SVGElement {
  const group = marked("thing", thing, unit);
  const { id } = thing;
  if (id === undefined) return group;
  group.dataset["id"] = id;
  group.setAttribute("tabindex", "0");
  group.setAttribute("role", "button");
  group.addEventListener("click", () => void tell(id));
  group.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") void tell(id);
  });
  return group;
}

/** Shows the life of the clicked thing; anything without a life is shown as its record. */
async function tell(id: string): Promise<void> {
  told.textContent = "…";
  try {
    const life = await host.callTool("life", { thing: id });
    const said = life.isError ? await host.callTool("record", { id }) : life;
    told.textContent = (said.content ?? []).map(({ text }) => text ?? "").join("\n");
  } catch (error) {
    told.textContent = error instanceof Error ? error.message : String(error);
  }
}

function marked(kind: string, { name, at }: Place, unit: number): SVGElement {
  const group = element("g", { class: kind });
  group.append(
    element("circle", { cx: at.x, cy: -at.y, r: 7 * unit }),
    label(name, at.x, -at.y + 20 * unit, "label"),
    Object.assign(element("title", {}), { textContent: name }),
  );
  return group;
}

function label(text: string, x: number, y: number, kind: string): SVGElement {
  const shown = text.length > NAME_CHARS ? `${text.slice(0, NAME_CHARS)}…` : text;
  return Object.assign(element("text", { class: kind, x, y }), { textContent: shown });
}

function storeyOf(rooms: FloorPlan["rooms"], z: number | undefined): FloorPlan["rooms"] {
  if (rooms.length === 0) return rooms;
  const floors = rooms.map((room) => room.z);
  const below = z === undefined ? [] : floors.filter((floor) => floor <= z + 0.3);
  const floor = below.length > 0 ? most(below) : least(floors);
  return rooms.filter((room) => Math.abs(room.z - floor) < STOREY_M);
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}
