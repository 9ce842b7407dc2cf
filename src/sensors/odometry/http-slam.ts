import { z } from "zod";
import {
  type DepthImage,
  LociError,
  quatSchema,
  type Slam,
  type SlamEstimate,
  type SlamInput,
  throwIfAborted,
  vec3Schema,
} from "../../schema/index.ts";
import { IMAGE_SIDE_PX } from "../frame.ts";
import { decodeGrey16, encodeColour, encodeGrey16 } from "../images.ts";

export interface HttpSlamOptions {
  /** The service's address: pictures are posted to `${url}/track`. */
  readonly url: string;
  /** Names one camera's run, so that one service can track several. */
  readonly session: string;
  readonly apiKey?: string | undefined;
  /** Timeout per picture; the first may load a model. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 60_000;
const REACH_MS = 10_000;
const TRIES = 3;
const PAUSE_MS = 250;
/** Room for a depth image of 8k: 128 MB raw, a fraction of it as PNG. */
const ANSWER_BYTES = 64 * 1024 * 1024;
/** For a service that reports no uncertainty: a tenth of a radian and of a metre. */
const UNKNOWN_VARIANCE = 0.01;

const answerSchema = z.object({
  isTracked: z.boolean(),
  originFromCamera: z.object({ p: vec3Schema, q: quatSchema }).optional(),
  covariance: z.array(z.number()).length(36).optional(),
  /** A 16-bit grey PNG in base64, from services that estimate depth from pictures. */
  depth: z.object({ png: z.string().max(ANSWER_BYTES), unitM: z.number().positive().max(1) }).optional(),
});

/**
 * Checks that a pose service answers at the address, whatever its reply, before a recording is started or a memory
 * created for it.
 */
export async function reachPoseService(
  url: string,
  { signal, timeoutMs = REACH_MS }: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<void> {
  throwIfAborted(signal);
  const address = addressOf(url);
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(address, {
      method: "OPTIONS",
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    await response.body?.cancel();
  } catch (cause) {
    throwIfAborted(signal);
    throw new LociError(
      "source-unavailable",
      `the pose service at ${new URL(address).origin} does not answer: ${(cause as Error).message}`,
      { cause },
    );
  }
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new LociError("invalid-input", "expected the pose service as an http:// or https:// address");
  return `${url.href.replace(/\/$/, "")}/track`;
}

/**
 * Asks a service for camera poses: one POST of JSON per picture, with the colour as JPEG, the depth (if any) as
 * 16-bit PNG, and the intrinsics. The reply has the pose in a frame that begins at the first picture, and may contain
 * a depth image for a camera without depth. MapAnything, DROID-SLAM and similar systems can be wrapped this way in a
 * few lines. Retries, time and reply size are bounded.
 */
export class HttpSlam implements Slam {
  readonly #options: HttpSlamOptions;
  readonly #address: string;

  constructor(options: HttpSlamOptions) {
    this.#options = options;
    this.#address = addressOf(options.url);
  }

  async track(input: SlamInput): Promise<SlamEstimate | undefined> {
    if (!input.rgb && !input.depth) return undefined;
    const answer = await this.#ask(await bodyOf(input, this.#options.session));
    const parsed = answerSchema.safeParse(answer);
    if (!parsed.success)
      throw new LociError(
        "model-failed",
        `the pose service's answer is not of the form: ${issueOf(parsed.error)}`,
      );
    const said = parsed.data;
    if (!said.originFromCamera) return undefined;
    const depth = said.depth && !input.depth ? await depthOf(said.depth, input) : undefined;
    return {
      originFromCamera: said.originFromCamera,
      covariance: said.covariance ? Float64Array.from(said.covariance) : unknownErrors(),
      isTracked: said.isTracked,
      ...(depth && { depth }),
    };
  }

  async #ask(body: string): Promise<unknown> {
    const { signal, apiKey, timeoutMs = TIMEOUT_MS } = this.#options;
    let failure: LociError | undefined;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      throwIfAborted(signal);
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** attempt));
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        const response = await (this.#options.fetch ?? fetch)(this.#address, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            ...(apiKey && { authorization: `Bearer ${apiKey}` }),
          },
          body,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        });
        if (response.ok) return JSON.parse(await textOf(response));
        await response.body?.cancel();
        failure = new LociError("model-failed", `the pose service answered with status ${response.status}`);
        // A retry with the same picture would give the same reply, unless the service was busy.
        if (response.status < 500 && response.status !== 429) throw failure;
      } catch (cause) {
        throwIfAborted(signal);
        if (cause instanceof LociError) throw cause;
        if (cause instanceof SyntaxError)
          throw new LociError("model-failed", "the pose service's answer is no JSON", { cause });
        failure = new LociError(
          "source-unavailable",
          `the pose service at ${new URL(this.#address).origin} does not answer: ${(cause as Error).message}`,
          { cause },
        );
      }
    }
    throw failure!;
  }
}

async function bodyOf({ timeUs, intrinsics, rgb, depth }: SlamInput, session: string): Promise<string> {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  return JSON.stringify({
    session,
    timeUs,
    intrinsics,
    ...(rgb && { colour: { jpeg: base64(await encodeColour(rgb, "jpeg")) } }),
    ...(depth && { depth: { png: base64(await encodeGrey16(depth)), unitM: depth.unitM } }),
  });
}

/** A depth image of the picture's size; for another size there would be no calibration. */
async function depthOf(
  said: { readonly png: string; readonly unitM: number },
  { intrinsics }: SlamInput,
): Promise<DepthImage> {
  const image = await decodeGrey16(Buffer.from(said.png, "base64"));
  if (image.width !== intrinsics.width || image.height !== intrinsics.height || image.width > IMAGE_SIDE_PX)
    throw new LociError(
      "model-failed",
      `expected a depth of ${intrinsics.width}×${intrinsics.height} from the pose service, got ${image.width}×${image.height}`,
    );
  return { ...image, unitM: said.unitM };
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES)
      throw new LociError("model-failed", `the pose service's answer is over ${ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function issueOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.map(String).join(".") ?? ""} ${issue?.message ?? ""}`.trim().slice(0, 200);
}

function unknownErrors(): Float64Array {
  const out = new Float64Array(36);
  for (let i = 0; i < 6; i++) out[i * 7] = UNKNOWN_VARIANCE;
  return out;
}
