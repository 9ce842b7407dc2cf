import type { z } from "zod";
import { distance } from "../../geometry/index.ts";
import { LociError, parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import { decodeColour, decodeGrey16, imageSize } from "../../sensors/images.ts";
import {
  type Body,
  type BodyModel,
  type CallLimits,
  type Frame,
  frameOf,
  type GoLimits,
  type Look,
  type Stand,
  type Went,
  type Whereabouts,
} from "../../sensors/index.ts";
import { BodyLink } from "./body-link.ts";
import { BODY_VERSION, bodySays, type SaidFrame, type SaidWhereabouts } from "./body-messages.ts";

export interface RemoteBodyOptions {
  /** ws://HOST:PORT or wss://HOST:PORT. */
  readonly url: string;
  /** Its name in the memory; default: what it calls itself. */
  readonly agentId?: string | undefined;
  readonly model?: Partial<BodyModel> | undefined;
  /** Longest silence: of any call, of a look (it may render), and of a drive between two poses. */
  readonly answerMs?: number | undefined;
  readonly lookMs?: number | undefined;
  readonly driveMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const ANSWER_MS = 10_000;
const LOOK_MS = 45_000;
const DRIVE_MS = 10_000;
/** An arrival that its own pose contradicts by more than this does not count. */
const ARRIVED_M = 0.5;
/** Bounds the memory needed to decode one picture. */
const MAX_PIXELS = 16_777_216;

/** A body anywhere that speaks the protocol of docs/body.md. It holds one connection; `close` releases it. */
export async function openRemoteBody(options: RemoteBodyOptions): Promise<RemoteBody> {
  const { url, answerMs: silentMs = ANSWER_MS, signal } = options;
  const link = await BodyLink.open(url, { silentMs, signal });
  try {
    const hello = await link.call(
      { op: "hello", version: BODY_VERSION },
      { silentMs, signal },
      read("hello", bodySays.hello, (said) => said),
    );
    if (hello.version !== BODY_VERSION)
      throw new LociError(
        "not-supported",
        `expected a body of protocol version ${BODY_VERSION}, ${url} speaks ${hello.version}: update the older of the two`,
      );
    return new RemoteBody(link, options, hello.agent, { ...hello.model, ...options.model });
  } catch (error) {
    link.close();
    throw error;
  }
}

export class RemoteBody implements Body {
  readonly agentId: string;
  readonly model: BodyModel;
  readonly #link: BodyLink;
  readonly #options: RemoteBodyOptions;
  #frames = 0;

  constructor(link: BodyLink, options: RemoteBodyOptions, agent: string, model: BodyModel) {
    this.#link = link;
    this.#options = options;
    this.agentId = options.agentId ?? agent;
    this.model = model;
  }

  whereabouts({ signal }: CallLimits = {}): Promise<Whereabouts> {
    const silentMs = this.#options.answerMs ?? ANSWER_MS;
    return this.#link.call(
      { op: "whereabouts" },
      { silentMs, signal },
      read("whereabouts", bodySays.whereabouts, ({ at }) => whereaboutsOf(at)),
    );
  }

  async look({ signal }: CallLimits = {}): Promise<Look> {
    const silentMs = this.#options.lookMs ?? LOOK_MS;
    const said = await this.#link.call(
      { op: "look" },
      { silentMs, signal },
      read("look", bodySays.look, ({ frames }) => frames),
    );
    const frames: Frame[] = [];
    for (const frame of said) frames.push(await this.#frameOf(frame));
    return { frames, edges: [] };
  }

  async go(to: Stand, limits: GoLimits = {}): Promise<Went> {
    const { signal, maxPathM, maxTimeS, maxSpeedMps, onMove } = limits;
    throwIfAborted(signal);
    const silentMs = this.#options.driveMs ?? DRIVE_MS;
    let [last, seenM]: [Whereabouts | undefined, number] = [undefined, 0];
    const moved = (at: Whereabouts) => {
      if (last) seenM += distance(last.positionInWorld, at.positionInWorld);
      last = at;
    };
    moved(await this.whereabouts({ signal }));
    const { positionInWorld: position, yawRad } = to;
    const message = { op: "go", to: { position, yawRad }, maxPathM, maxTimeS, maxSpeedMps };
    let stopped: number | undefined;
    const stop = (id: number) => {
      stopped = id;
      this.#link.tell({ op: "stop", of: id });
    };
    const readWent = read("went", bodySays.went, (said) => said);
    try {
      const went = await this.#link.call(
        message,
        { silentMs, signal },
        (said) => {
          if (!("move" in said)) return readWent(said);
          const at = whereaboutsOf(parseOrThrow(bodySays.move, said, "sent a move that cannot be read").move);
          moved(at);
          onMove?.(at);
          return undefined;
        },
        stop,
      );
      const at = whereaboutsOf(went.at);
      moved(at);
      const offM = Math.hypot(at.positionInWorld.x - position.x, at.positionInWorld.y - position.y);
      const isLie = went.outcome === "arrived" && offM > ARRIVED_M;
      const why = isLie ? `it says that it arrived, but stands ${offM.toFixed(1)} m from its goal` : went.why;
      return {
        outcome: isLie ? "stuck" : went.outcome,
        // Metres are the body's own, but no fewer than its poses say.
        pathM: Math.max(went.pathM, seenM),
        turnRad: went.turnRad,
        at,
        ...(why !== undefined && { why }),
      };
    } catch (error) {
      if (stopped === undefined) this.#link.tell({ op: "stop" });
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#link.close();
  }

  async #frameOf({ rgb, depth, masks, ...line }: SaidFrame): Promise<Frame> {
    const { width, height } = line.intrinsics;
    if (width * height > MAX_PIXELS)
      throw new LociError(
        "source-unavailable",
        `the body sent a picture of ${width}×${height}, at most ${MAX_PIXELS} pixels are read: make it smaller`,
      );
    const bytesOf = (name: string, text: string | undefined) => {
      if (text === undefined) return undefined;
      const bytes = Buffer.from(text, "base64");
      const size = imageSize(bytes);
      if (size?.width === width && size.height === height) return bytes;
      throw new LociError(
        "source-unavailable",
        `the body's ${name}: expected a JPEG or PNG of ${width}×${height} as its intrinsics say, got ${size ? `${size.width}×${size.height}` : "something else"}`,
      );
    };
    const [colours, ranges, numbers] = [
      bytesOf("rgb", rgb),
      bytesOf("depth", depth),
      bytesOf("masks", masks),
    ];
    return frameOf(
      { ...line, index: this.#frames++, agentId: this.agentId, mapFrame: "world" },
      {
        ...(colours && { rgb: await decodeColour(colours) }),
        ...(ranges && { depth: await decodeGrey16(ranges) }),
        ...(numbers && { masks: await decodeGrey16(numbers) }),
      },
    );
  }
}

function whereaboutsOf({ position, ...rest }: SaidWhereabouts): Whereabouts {
  return { positionInWorld: position, ...rest };
}

/** Reads an answer; a failure that the body reports, or an answer of another shape, is said in one line. */
function read<S extends z.ZodType, T>(
  what: string,
  schema: S,
  take: (said: z.output<S>) => T,
): (said: unknown) => T {
  return (said) => {
    const failed = bodySays.failed.safeParse(said);
    if (failed.success) throw new LociError("source-unavailable", `reports: ${failed.data.error}`);
    return take(parseOrThrow(schema, said, `answered "${what}" with something else`));
  };
}
