import {
  apply,
  type Box,
  boxFromPoints,
  centreOf,
  extentOf,
  IDENTITY,
  type Transform,
  type Vec3,
} from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import {
  asPerceived,
  LIMITS,
  LociError,
  type RecordInput,
  type RecordOf,
  type Stored,
  WORLD_FRAME,
} from "../../schema/core.ts";
import { FOREST } from "../settings.ts";
import { Forest } from "./forest.ts";
import { type ForestView, viewOf } from "./view.ts";

/** What the forest does not know about its nodes, but their records need. */
export interface RegionContext {
  readonly sceneId: string;
  readonly labels: readonly string[];
  /** The frame in which the leaves' positions are given. */
  readonly frame: string;
  readonly relationships?: (id: string) => readonly string[] | undefined;
  /** Start time of a node; asked once per record. */
  readonly sinceUs: (id: string) => number;
  readonly group?: (id: string) => GroupFacts | undefined;
}

export interface GroupFacts {
  readonly type: "room" | "floor" | "site";
  readonly name: string;
  readonly hull?: readonly Vec3[];
  readonly coverage?: number;
}

/** One region record for each inner node, the site first. */
export function regionRecords(forest: Forest, context: RegionContext): RecordInput[] {
  const records: RecordInput[] = [];
  const visit = (node: number): number => {
    const at = records.push(undefined as unknown as RecordInput) - 1;
    const children = forest.childrenOf(node);
    let below = 0;
    for (const child of children) if (!forest.isLeaf(child)) below = Math.max(below, visit(child));
    const group = forest.isGroup(node);
    const level = group ? below + 1 : forest.levelOf(node);
    records[at] = recordOf(forest, node, level, children, context);
    return level;
  };
  visit(forest.root);
  return records;
}

function recordOf(
  forest: Forest,
  node: number,
  level: number,
  children: readonly number[],
  context: RegionContext,
): RecordInput {
  const id = forest.idOf(node);
  const isRoot = node === forest.root;
  const facts = forest.isGroup(node) ? context.group?.(id) : undefined;
  const lines = forest.linesOf(node);
  const name = (facts?.name ?? lines[0] ?? "somewhere").slice(0, LIMITS.nameChars);
  if (children.length > LIMITS.refsPerRecord)
    throw new LociError(
      "limit-exceeded",
      `"${name}" has ${children.length} parts; at most ${LIMITS.refsPerRecord}`,
    );
  const parent = forest.parentOf(node);
  const place =
    forest.leavesUnder(node) > 0
      ? placeOf(forest.boundsOf(node), forest.centroidOf(node))
      : outlinePlaceOf(facts?.hull);
  return {
    kind: "region",
    id,
    sceneId: context.sceneId,
    labels: [...context.labels],
    validFromUs: context.sinceUs(id),
    validToUs: null,
    type: facts?.type ?? (isRoot ? "site" : "cluster"),
    level,
    name,
    ...(parent === undefined ? {} : { parent: forest.idOf(parent) }),
    // In a fixed order, because the forest keeps none and equal nodes should have equal records.
    children: children.map((child) => forest.idOf(child)).sort(),
    leaves: forest.leavesUnder(node),
    dirty: forest.isDirty(node),
    text: lines.length > 0 ? [name, ...lines.slice(1)] : [name],
    relationships: (context.relationships?.(id) ?? [])
      .slice(0, FOREST.maxRelationships)
      .map((line) => line.slice(0, LIMITS.lineChars)),
    ...(place === undefined ? {} : { anchor: { submap: context.frame, p: place.p }, extent: place.extent }),
    ...(facts?.hull === undefined ? {} : { hull: facts.hull.slice(0, LIMITS.polygonPoints) }),
    ...(facts?.coverage === undefined ? {} : { coverage: facts.coverage }),
  };
}

/**
 * The anchor is the centre of the box, because an extent is centred on it; rounded to millimetres for stable
 * equality.
 */
function placeOf(bounds: Box, fallback: Vec3): { p: Vec3; extent: Vec3 } {
  const centre = centreOf(bounds);
  const p = Number.isFinite(centre.x + centre.y + centre.z) ? centre : fallback;
  return { p: rounded(p), extent: rounded(extentOf(bounds)) };
}

/** A room seen but never entered holds no place: without an anchor its outline would have no map. */
function outlinePlaceOf(hull: readonly Vec3[] = []): { p: Vec3; extent: Vec3 } | undefined {
  const bounds = boxFromPoints(hull);
  return bounds && placeOf(bounds, hull[0]!);
}

function rounded({ x, y, z }: Vec3): Vec3 {
  const mm = (value: number): number => Math.round(value * 1_000) / 1_000;
  return { x: mm(x), y: mm(y), z: mm(z) };
}

type Region = Stored<RecordOf<"region">>;

/**
 * The forest in a memory, read from its site downwards; undefined if there is none. `root` names the map if a scene
 * has several unaligned ones. Leaves that the reader may not see, or that have no position, are left out, and so are
 * clusters that become empty.
 */
export async function loadForest(
  reader: MemoryReader,
  options: { readonly sceneId?: string; readonly root?: string } = {},
): Promise<ForestView | undefined> {
  const { sceneId, root = WORLD_FRAME } = options;
  const { hits } = await reader.search({
    kinds: ["region"],
    where: { category: ["site"], ...(sceneId === undefined ? {} : { sceneId: [sceneId] }) },
    rank: "latest",
    limit: 100,
  });
  const sites = hits.map(({ record }) => record as Region).filter(({ validToUs }) => validToUs === null);
  const site = sites.find(({ anchor }) => anchor?.submap === root) ?? sites[0];
  if (site === undefined) return undefined;
  const leafOf = new Map<string, string>();
  const forest = await readForest(reader, site, { leafOf });
  return viewOf(forest, leafOf);
}

/** Rebuilds a forest from its site's record; the structure is taken as written. */
export async function readForest(
  reader: MemoryReader,
  site: Region,
  options: {
    readonly firstM?: number;
    readonly newId?: () => string;
    readonly leafOf?: Map<string, string>;
    readonly frameFrom?: (submap: string) => Transform | undefined;
    /** Use the robots' own names of regions instead of people's: for continuing the map. */
    readonly perceived?: boolean;
  } = {},
): Promise<Forest> {
  const regions = new Map<string, Region>([[site.id, site]]);
  const positions = new Map<string, { position: Vec3; lines: readonly string[] }>();
  const frames = await reader.frames();
  const frame = site.anchor?.submap ?? WORLD_FRAME;
  const frameFrom =
    options.frameFrom ?? ((submap: string) => (submap === frame ? IDENTITY : frames.resolve(frame, submap)));
  const asked = new Set<string>([site.id]);
  let front = [...site.children];
  while (front.length > 0) {
    const next: string[] = [];
    for (let at = 0; at < front.length; at += FOREST.readAtOnce) {
      const ids = front.slice(at, at + FOREST.readAtOnce).filter((id) => !asked.has(id));
      for (const id of ids) asked.add(id);
      for (const record of await reader.get(ids)) {
        if (record === undefined || record.validToUs !== null) continue;
        if (record.kind === "region") {
          regions.set(record.id, (options.perceived ? asPerceived(record) : record) as Region);
          next.push(...record.children);
        } else if (record.anchor !== undefined) {
          const { submap, p } = record.anchor;
          const frameFromSubmap = frameFrom(submap);
          if (frameFromSubmap === undefined) continue;
          const position = apply(frameFromSubmap, p);
          positions.set(record.id, { position, lines: record.text });
          if (record.kind === "place")
            for (const tied of [...record.captions, ...record.views]) options.leafOf?.set(tied, record.id);
        }
      }
    }
    front = next;
  }
  return assemble(site, regions, positions, options);
}

function assemble(
  site: Region,
  regions: ReadonlyMap<string, Region>,
  leaves: ReadonlyMap<string, { position: Vec3; lines: readonly string[] }>,
  { firstM = firstDistance(regions), newId }: { firstM?: number; newId?: () => string },
): Forest {
  const forest = new Forest({ firstM, rootId: site.id, ...(newId === undefined ? {} : { newId }) });
  const describe = (node: number, region: Region): void => {
    forest.describe(node, region.text.length > 0 ? region.text : [region.name]);
    if (region.dirty) forest.touch(node);
  };
  const fill = (region: Region, under: number): number[] => {
    const nodes: number[] = [];
    for (const id of region.children) {
      const leaf = leaves.get(id);
      const below = regions.get(id);
      if (forest.nodeOf(id) !== undefined) continue;
      if (leaf !== undefined) {
        const node = forest.makeLeaf({ id, position: leaf.position });
        forest.describe(node, leaf.lines);
        nodes.push(node);
      } else if (below?.type === "cluster") {
        const inside = fill(below, under);
        if (inside.length === 0) continue;
        const node = forest.makeCluster(Math.max(1, below.level), inside, id);
        describe(node, below);
        nodes.push(node);
      } else if (below !== undefined) {
        const group = forest.putGroup({ id, parent: forest.idOf(under) });
        for (const child of fill(below, group)) forest.store.link(group, child);
        forest.store.refresh(group);
        describe(group, below);
      }
    }
    return nodes;
  };
  for (const top of fill(site, forest.root)) forest.store.link(forest.root, top);
  forest.store.refresh(forest.root);
  describe(forest.root, site);
  return forest;
}

/** The first level's width, from the widest cluster of a level; only inserting needs it. */
function firstDistance(regions: ReadonlyMap<string, Region>): number {
  let first = 0;
  for (const { type, level, extent } of regions.values())
    if (type === "cluster" && extent !== undefined && level < FOREST.maxLevels)
      first = Math.max(first, Math.hypot(extent.x, extent.y, extent.z) / 2 ** (level - 1));
  return first > 0 ? first : 2;
}
