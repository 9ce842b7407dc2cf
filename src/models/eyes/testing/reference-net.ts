import { sizesOf } from "../sizes.ts";
import { channelsOut, type Net, type NetStep } from "../weight-file.ts";

/** The network in plain loops over doubles, the reference for the kernels. Returns the logits of both outputs. */
export function referenceRun(net: Net, input: Float64Array): Map<string, Float64Array> {
  const sizes = sizesOf(net);
  const made = new Map([["in", input]]);
  const out = new Map<string, Float64Array>();
  for (const step of net.steps) {
    const from = sizes.get(step.inputs[0]!)!;
    const to = sizes.get(step.name)!;
    const picture = new Float64Array(to.channels * to.width * to.height);
    const a = made.get(step.inputs[0]!)!;
    const b = made.get(step.inputs[1] ?? "in")!;
    for (let c = 0; c < to.channels; c++)
      for (let y = 0; y < to.height; y++)
        for (let x = 0; x < to.width; x++) {
          const at = (c * to.height + y) * to.width + x;
          const v = numberAt(step, a, b, from, c, y, x, at, to);
          picture[at] = step.relu ? Math.max(v, 0) : v;
        }
    made.set(step.name, picture);
    if (step.out !== undefined) out.set(step.out, picture);
  }
  return out;
}

interface Grid {
  readonly width: number;
  readonly height: number;
}

function numberAt(
  step: NetStep,
  a: Float64Array,
  b: Float64Array,
  from: Grid,
  c: number,
  y: number,
  x: number,
  at: number,
  to: Grid,
): number {
  switch (step.kind) {
    case "add":
      return a[at]! + b[at]!;
    case "spread":
      return a[at]! + b[c]!;
    case "pool":
      return (
        a
          .subarray(c * from.width * from.height, (c + 1) * from.width * from.height)
          .reduce((sum, v) => sum + v, 0) /
        (from.width * from.height)
      );
    case "up":
      return (
        between(
          a,
          from,
          c,
          ((y + 0.5) * from.height) / to.height - 0.5,
          ((x + 0.5) * from.width) / to.width - 0.5,
        ) + b[at]!
      );
    default:
      return convolved(step, a, from, c, y, x);
  }
}

function between(a: Float64Array, { width, height }: Grid, c: number, y: number, x: number): number {
  const [cy, cx] = [Math.max(y, 0), Math.max(x, 0)];
  const [y0, x0] = [Math.floor(cy), Math.floor(cx)];
  const [y1, x1] = [Math.min(y0 + 1, height - 1), Math.min(x0 + 1, width - 1)];
  const get = (v: number, u: number) => a[(c * height + v) * width + u]!;
  const row = (v: number) => get(v, x0) + (get(v, x1) - get(v, x0)) * (cx - x0);
  return row(y0) + (row(y1) - row(y0)) * (cy - y0);
}

function convolved(
  step: NetStep,
  a: Float64Array,
  { width, height }: Grid,
  c: number,
  y: number,
  x: number,
): number {
  const side = step.kind === "point" ? 1 : (step.k ?? 3);
  const by = step.kind === "conv" ? 2 : (step.stride ?? 1);
  const inputs = step.kind === "depth" ? 1 : step.i;
  let sum = step.bias[c]!;
  for (let i = 0; i < inputs; i++)
    for (let j = 0; j < side; j++)
      for (let k = 0; k < side; k++) {
        const [v, u] = [y * by + j - (side >> 1), x * by + k - (side >> 1)];
        if (v < 0 || u < 0 || v >= height || u >= width) continue;
        const plane = step.kind === "depth" ? c : i;
        sum += a[(plane * height + v) * width + u]! * step.weights[((c * inputs + i) * side + j) * side + k]!;
      }
  return sum;
}

/** A small network with every kind of step, awkward sizes, and pseudo-random weights. */
export function tinyNet(width: number, height: number): Net {
  const steps: Omit<NetStep, "weights" | "bias">[] = [
    { name: "a", kind: "conv", inputs: ["in"], i: 3, o: 6, relu: 1 },
    { name: "b", kind: "depth", inputs: ["a"], i: 6, k: 3, stride: 1, relu: 1 },
    { name: "c", kind: "point", inputs: ["b"], i: 6, o: 6, relu: 0 },
    { name: "d", kind: "add", inputs: ["a", "c"], i: 6, relu: 1 },
    { name: "e", kind: "depth", inputs: ["d"], i: 6, k: 5, stride: 2, relu: 0 },
    { name: "f", kind: "point", inputs: ["e"], i: 6, o: 9, relu: 1 },
    { name: "g", kind: "depth", inputs: ["f"], i: 9, k: 3, stride: 2, relu: 0 },
    { name: "h", kind: "pool", inputs: ["g"], i: 9 },
    { name: "i", kind: "point", inputs: ["h"], i: 9, o: 9, relu: 1 },
    { name: "j", kind: "spread", inputs: ["g", "i"], i: 9, relu: 0 },
    { name: "k", kind: "up", inputs: ["j", "f"], i: 9, relu: 1 },
    { name: "l", kind: "point", inputs: ["k"], i: 9, o: 6, relu: 0 },
    { name: "m", kind: "up", inputs: ["l", "d"], i: 6, relu: 1 },
    { name: "n", kind: "depth", inputs: ["m"], i: 6, k: 5, stride: 1, relu: 1 },
    { name: "o", kind: "point", inputs: ["n"], i: 6, o: 7, relu: 0, out: "shape" },
    { name: "p", kind: "point", inputs: ["n"], i: 6, o: 5, relu: 0, out: "category" },
  ];
  let seed = 1;
  const next = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed / 2 ** 31 - 1;
  };
  const draw = (count: number) => Float32Array.from({ length: count }, () => 0.6 * next());
  return {
    width,
    height,
    channels: 3,
    heads: 7,
    offsetScale: 32,
    temperature: 1.5,
    categories: ["other", "mug", "chair", "table", "door"],
    kinds: [],
    states: [],
    kindTemperature: 1,
    steps: steps.map((step) => {
      const out = channelsOut(step);
      const weights = { conv: 9 * step.i * out, point: step.i * out, depth: step.i * (step.k ?? 3) ** 2 };
      const count = step.kind in weights ? weights[step.kind as keyof typeof weights] : 0;
      return { ...step, weights: draw(count), bias: draw(count > 0 ? out : 0) };
    }),
  };
}
