import { type Guard, GuardedBody } from "../exploration/bodies/guarded-body.ts";
import { openRemoteBody } from "../exploration/bodies/remote-body.ts";
import { openRos2Body, type Ros2BodyOptions } from "../exploration/bodies/ros2-body.ts";
import type { Explored, Site } from "../exploration/index.ts";
import { FloorPlan } from "../map/paths.ts";
import type { Actor } from "../operations/context.ts";
import { type Budget, LociError, type PolicyName, type RunLine } from "../schema/index.ts";
import type {
  Body,
  BodyModel,
  CallLimits,
  GoLimits,
  Look,
  Stand,
  Went,
  Whereabouts,
} from "../sensors/index.ts";
import { exploreWith } from "./explore.ts";
import type { GuidanceRequest } from "./guidance.ts";
import type { Eyes } from "./ingest-eyes.ts";
import type { Memory } from "./memory.ts";
import { RunRecorder } from "./runs.ts";

/** A robot that may be sent to find something out, and its hard limits. */
export interface RobotOptions
  extends Pick<Ros2BodyOptions, "url" | "by" | "worldFrame" | "baseFrame" | "model" | "read" | "settleMs"> {
  /** What speaks at the address: a rosbridge (default), or a body of docs/body.md. */
  readonly speaks?: "rosbridge" | "body" | undefined;
  readonly agentId?: string | undefined;
  readonly guard?: Guard | undefined;
  /** What finds things in its pictures; without it only the floor is mapped. */
  readonly eyes?: Eyes | null | undefined;
  readonly sceneId?: string | undefined;
}

export interface ExpeditionRequest extends GuidanceRequest {
  /** The question to answer; for `navigate`, the thing to go to. */
  readonly question: string;
  readonly task?: "answer" | "navigate" | undefined;
  readonly policy?: PolicyName | undefined;
  readonly mode?: "loci" | "paper" | undefined;
  readonly budget?: Partial<Budget> | undefined;
  /** A file that also receives the run. */
  readonly record?: string | undefined;
  /** The principal that asks; the answer is limited to what it may see. Default: the owner of the memory. */
  readonly asker?: Actor | undefined;
}

export interface ExpeditionHooks {
  readonly signal?: AbortSignal | undefined;
  readonly onLine?: ((line: RunLine) => void) | undefined;
}

/** The result, and the name under which the run was recorded for replay. */
export interface Returned extends Explored {
  readonly runId: string | null;
}

const BUDGET: Budget = { steps: 60, pathM: 60, seconds: 1_200 };
const AGENT = "robot";

/**
 * Sends a robot to find things out for a memory: one task at a time, within its guard, each run recorded beside the
 * memory.
 */
export class Expedition {
  readonly #memory: Memory;
  readonly #robot: RobotOptions;
  /** Metres driven on all expeditions so far; the limit on the total distance spans them all. */
  #drivenM = 0;
  #under: { readonly question: string; readonly askerId: string | undefined } | undefined;

  constructor(memory: Memory, robot: RobotOptions) {
    this.#memory = memory;
    this.#robot = robot;
  }

  /** Asks the memory first, and drives only for what it lacks. */
  async explore(request: ExpeditionRequest, { signal, onLine }: ExpeditionHooks = {}): Promise<Returned> {
    const askerId = request.asker?.grant ?? request.asker?.id;
    if (this.#under !== undefined) {
      // The question is shown only to the principal that asked it.
      const own = this.#under.askerId === askerId ? ` for “${this.#under.question.slice(0, 80)}”` : "";
      throw new LociError("overloaded", `the robot is under way${own}; try again`);
    }
    this.#under = { question: request.question, askerId };
    const { agentId, guard = {}, eyes, sceneId = "default", speaks, ...options } = this.#robot;
    const { scene } = request.asker ?? {};
    if (scene !== undefined && scene !== sceneId)
      throw new LociError(
        "access-denied",
        `the robot is in scene "${sceneId}", this token is for "${scene}"`,
      );
    const labels = scene === undefined ? [] : [`scene:${scene}`];
    let floor: FloorPlan | undefined;
    let site: Site | undefined;
    const recorder = new RunRecorder(this.#memory.folder);
    let robot: Body | undefined;
    let drivenM = () => 0;
    try {
      const { url, model: ownModel } = options;
      robot =
        speaks === "body"
          ? await openRemoteBody({ url, agentId, model: ownModel, signal })
          : await openRos2Body({ ...options, agentId: agentId ?? AGENT, floor: () => floor, signal });
      const { radiusM } = robot.model;
      const seeing = new SeeingBody(robot, eyes, async (z) => {
        floor = site && (await floorOf(site, radiusM, z));
      });
      const body = new GuardedBody(seeing, {
        ...guard,
        ...(guard.maxPathM !== undefined && { maxPathM: guard.maxPathM - this.#drivenM }),
      });
      drivenM = () => body.drivenM;
      const { question, task = "answer", policy, mode } = request;
      const { model, models, prices, system, settings, modelBudget } = request;
      const explored = await exploreWith(this.#memory, {
        ...{ question, task, policy, mode },
        ...{ model, models, prices, system, settings, modelBudget },
        bodies: [body],
        budget: { ...BUDGET, ...request.budget },
        sceneId,
        labels,
        asker: request.asker,
        record: request.record,
        signal,
        onSite: (opened) => {
          site = opened;
        },
        onLine: (line) => {
          recorder.tell(line);
          onLine?.(line);
        },
      });
      return { ...explored, runId: recorder.id };
    } finally {
      this.#under = undefined;
      this.#drivenM += drivenM();
      await recorder.close();
      await robot?.close?.();
    }
  }
}

/** A body whose pictures are processed, and which plans each drive on the latest known floor. */
class SeeingBody implements Body {
  readonly #body: Body;
  readonly #eyes: Eyes | null | undefined;
  readonly #beforeGo: (floorZ: number) => Promise<void>;

  constructor(body: Body, eyes: Eyes | null | undefined, beforeGo: (floorZ: number) => Promise<void>) {
    this.#body = body;
    this.#eyes = eyes;
    this.#beforeGo = beforeGo;
  }

  get agentId(): string {
    return this.#body.agentId;
  }

  get model(): BodyModel {
    return this.#body.model;
  }

  whereabouts(limits?: CallLimits): Promise<Whereabouts> {
    return this.#body.whereabouts(limits);
  }

  async look(limits?: CallLimits): Promise<Look> {
    const look = await this.#body.look(limits);
    const eyes = this.#eyes;
    if (!eyes) return look;
    return {
      ...look,
      frames: await Promise.all(look.frames.map((frame) => (frame.detections ? frame : eyes.look(frame)))),
    };
  }

  async go(to: Stand, limits?: GoLimits): Promise<Went> {
    await this.#beforeGo(to.positionInWorld.z);
    return this.#body.go(to, limits);
  }
}

async function floorOf(site: Site, radiusM: number, z: number): Promise<FloorPlan | undefined> {
  const floors = (await site.map())?.floors().filter(({ width, height }) => width * height > 0) ?? [];
  const [raster] = floors.toSorted((a, b) => Math.abs(a.floorZ - z) - Math.abs(b.floorZ - z));
  return raster && new FloorPlan(raster, radiusM);
}
