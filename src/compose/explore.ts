import { observedSpan } from "../belief/span.ts";
import type { Body, Explored, ExploreOptions, Site, SiteMemory } from "../exploration/index.ts";
import type { Principal } from "../memory/port.ts";
import type { Budget } from "../schema/core.ts";
import { ownLayer } from "../sharing/own-layer.ts";
import type { LiveHouseOptions } from "../world/live-house.ts";
import { type GuidanceRequest, guidanceOf } from "./guidance.ts";
import type { Memory } from "./memory.ts";

/** The papers' budget: this many steps per square root of the floor area. */
const STEPS_PER_ROOT_M2 = 3;
const METRES_A_STEP = 3;
const SECONDS_A_STEP = 60;
const PAUSE_US = 60_000_000;

/** The principal an explorer asks as, and how its observations are filed. */
export interface ExploreFiling {
  readonly sceneId?: string | undefined;
  readonly keepsViews?: boolean | undefined;
  /** Access labels of what is seen. */
  readonly labels?: readonly string[] | undefined;
  /** The principal that asks; default: the owner of the memory. */
  readonly asker?: Principal | undefined;
}

/**
 * Opens a memory for explorers, until it is closed. They read and write what every holder of the written labels may
 * see.
 */
export async function siteMemoryOf(
  memory: Memory,
  { sceneId = "default", keepsViews = true, labels = [], asker }: ExploreFiling = {},
): Promise<SiteMemory & { close(): Promise<void> }> {
  const seen = memory.as({ principal: { id: "explorer", labels } });
  const asked = asker && memory.as({ principal: asker });
  const reader = await seen.reader();
  return {
    keepsViews,
    labels,
    reader,
    asking: await (asked ?? memory).reader(),
    write: async (batch) => memory.write(await ownLayer(batch, labels, await memory.reader())),
    close: async () => {
      await seen.close();
      await asked?.close();
    },
    embedder: await memory.embedder(),
    background: await memory.background(),
    sceneId,
  };
}

export type ExploreWithRequest = Omit<ExploreOptions, "site" | "budget" | "guidance"> &
  GuidanceRequest &
  ExploreFiling & {
    readonly bodies: readonly Body[];
    readonly budget: Budget;
    /** File that the run is written to, line by line. */
    readonly record?: string | undefined;
    /** Called with the site before any body moves; bodies that plan on the mapped floor need it. */
    readonly onSite?: ((site: Site) => void) | undefined;
  };

/**
 * Answers a question with any bodies: asks the memory first, explores for what is missing, and stores what was seen.
 * The caller closes the bodies.
 */
export async function exploreWith(memory: Memory, request: ExploreWithRequest): Promise<Explored> {
  const { explore, RunWriter, Site } = await import("../exploration/index.ts");
  const { record, sceneId, labels, asker, onLine, onSite, keepsViews, ...rest } = request;
  const { model, models, prices, system, settings, modelBudget, ...options } = rest;
  const guidance = await guidanceOf({ model, models, prices, system, settings, modelBudget });
  const writer = record === undefined ? undefined : new RunWriter(record);
  await writer?.ready();
  const place = await siteMemoryOf(memory, { sceneId, labels, asker, keepsViews });
  const last = await observedSpan(place.asking);
  const site = await Site.open(place, last?.toUs ?? 0);
  onSite?.(site);
  try {
    return await explore({
      ...options,
      site,
      ...(guidance && { guidance }),
      onLine: (line) => {
        writer?.write(line);
        onLine?.(line);
      },
    });
  } finally {
    await site.close();
    await place.close();
    await writer?.close();
  }
}

export interface ExploreHouseRequest
  extends Omit<ExploreWithRequest, "bodies" | "budget" | "place" | "seed">,
    Pick<LiveHouseOptions, "seed" | "rooms" | "floors" | "noise" | "rate" | "people"> {
  readonly agents?: number | undefined;
  readonly budget?: Partial<Budget> | undefined;
}

/** Picture size for a vision model: large enough to tell letters and things apart. */
const SHOWN_PX = { width: 320, height: 240 } as const;

/**
 * The same in a simulated house, of one storey unless more are asked for. Simulated bodies see without colours
 * (visibility alone); for a vision model, pictures are rendered and kept.
 */
export async function exploreHouse(memory: Memory, request: ExploreHouseRequest): Promise<Explored> {
  const { LiveHouse } = await import("../world/live-house.ts");
  const { seed, rooms, floors = 1, noise = 0.5, rate, people, agents = 1, ...options } = request;
  const house = new LiveHouse({ seed, rooms, floors, noise, rate, people });
  const model = request.model ?? request.models?.get("reasoner");
  const painting = model?.capabilities.vision ? await import("../world/sensors/index.ts") : undefined;
  const pool = painting && new painting.RenderPool({ workers: 0 });
  const camera = painting && { ...painting.DEFAULT_CAMERA, ...SHOWN_PX };
  // Another outing in the same house starts after the last one, because frames are identified by their time.
  const last = await observedSpan(await memory.reader());
  const startUs = Math.max(house.startUs, (last?.toUs ?? 0) + PAUSE_US);
  const bodies = Array.from({ length: agents }, (_, n) =>
    house.body(`robot-${n + 1}`, { start: house.start(n), startUs, ...(pool && { pool, camera }) }),
  );
  const judge =
    pool && request.policy === "explore-eqa"
      ? (await import("../exploration/guide/vision.ts")).visionJudge(model!)
      : undefined;
  const steps = Math.max(1, Math.floor(STEPS_PER_ROOT_M2 * Math.sqrt(house.areaM2())));
  const whole = { steps, ...request.budget };
  try {
    return await exploreWith(memory, {
      ...options,
      ...(judge && { judge }),
      bodies,
      seed,
      keepsViews: pool !== undefined,
      place: { family: "house", seed: String(seed), noise },
      budget: { pathM: METRES_A_STEP * whole.steps, seconds: SECONDS_A_STEP * whole.steps, ...whole },
    });
  } finally {
    await pool?.close();
  }
}
