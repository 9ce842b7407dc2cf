import { z } from "zod";
import { LociError } from "../../schema/errors.ts";

const MAGIC = 0x53455945; // "EYES", little-endian
const VERSION = 1;
const FIRST_BYTE = 12;
const MAX_CHANNELS = 1_024;

const stepSchema = z.object({
  name: z.string(),
  kind: z.enum(["conv", "point", "depth", "add", "up", "pool", "spread"]),
  inputs: z.array(z.string()).min(1).max(2),
  /** Input channels, and output channels if they differ. */
  i: z.int().min(1).max(MAX_CHANNELS),
  o: z.int().min(1).max(MAX_CHANNELS).optional(),
  k: z.union([z.literal(3), z.literal(5)]).optional(),
  stride: z.union([z.literal(1), z.literal(2)]).optional(),
  relu: z.union([z.literal(0), z.literal(1)]).optional(),
  out: z.enum(["shape", "category", "kind"]).optional(),
});

const headerSchema = z.object({
  width: z.int().min(8).max(2_048),
  height: z.int().min(8).max(2_048),
  channels: z.int().min(1).max(64),
  heads: z.int().min(7).max(64),
  offsetScale: z.number().positive(),
  temperature: z.number().positive(),
  categories: z.array(z.string()).min(2).max(512),
  /** Names of the second head, if there is one. */
  kinds: z.array(z.string()).max(512).default([]),
  states: z.array(z.string()).max(16).default([]),
  kindTemperature: z.number().positive().default(1),
  steps: z.array(stepSchema).min(1).max(512),
});

export interface NetStep extends z.infer<typeof stepSchema> {
  /** [out][in][k][k], a depthwise one [channel][k][k]; empty if the step has none. */
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

/** A network as stored: a list of steps over pictures, each named by the step that made it. */
export interface Net extends Omit<z.infer<typeof headerSchema>, "steps"> {
  readonly steps: readonly NetStep[];
}

/** Reads what training/eyes/export.py wrote: "EYES", version, length of a JSON header, header, weights in half precision. */
export function readNet(bytes: Uint8Array): Net {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FIRST_BYTE || view.getUint32(0, true) !== MAGIC) throw unusable("it is no file of eyes");
  if (view.getUint32(4, true) !== VERSION) throw unusable(`expected version ${VERSION}`);
  const end = FIRST_BYTE + view.getUint32(8, true);
  if (end > bytes.length) throw unusable("it ends within its header");
  const header = headerSchema.safeParse(parsed(bytes.subarray(FIRST_BYTE, end)));
  if (!header.success) throw unusable(`its header: ${z.prettifyError(header.error).slice(0, 200)}`);
  let at = end;
  const take = (count: number): Float32Array => {
    if (at + 2 * count > bytes.length) throw unusable("it ends within its weights");
    const numbers = Float32Array.from({ length: count }, (_, i) =>
      fromHalf(view.getUint16(at + 2 * i, true)),
    );
    at += 2 * count;
    return numbers;
  };
  const steps = header.data.steps.map((step) => {
    const [weights, bias] = sizesOf(step);
    return { ...step, weights: take(weights), bias: take(bias) };
  });
  if (at !== bytes.length) throw unusable(`${bytes.length - at} bytes are left over`);
  return { ...header.data, steps };
}

/** Channels of a step's output. */
export function channelsOut(step: z.infer<typeof stepSchema>): number {
  return step.o ?? step.i;
}

function sizesOf(step: z.infer<typeof stepSchema>): [weights: number, bias: number] {
  const out = channelsOut(step);
  if (step.kind === "conv") return [step.i * out * 9, out];
  if (step.kind === "point") return [step.i * out, out];
  if (step.kind === "depth") return [step.i * (step.k ?? 3) ** 2, out];
  return [0, 0];
}

/** A number of 16 bits, IEEE 754: Node 22 does not read it by itself. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1_023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) throw unusable("a weight is no finite number");
  return sign * (1 + fraction / 1_024) * 2 ** (exponent - 15);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function unusable(reason: string): LociError {
  return new LociError(
    "model-unavailable",
    `the weights of the eyes are not usable: ${reason}; restore eyes-v1.bin`,
  );
}
