import { readFileSync } from "node:fs";
import { assert } from "../../schema/core.ts";
import { LociError } from "../../schema/errors.ts";
import type { Likeliest } from "./eyes.ts";
import { TOP } from "./likeliest.ts";
import { type Size, sizesOf } from "./sizes.ts";
import type { Net, NetStep } from "./weight-file.ts";

/** The exports of kernels/; addresses in bytes, strides in numbers. */
interface Kernels {
  point(
    from: number,
    to: number,
    weights: number,
    bias: number,
    panel: number,
    inputs: number,
    outputs: number,
    stride: number,
    relu: number,
  ): void;
  depth(
    from: number,
    to: number,
    weights: number,
    bias: number,
    scratch: number,
    channels: number,
    width: number,
    height: number,
    fromStride: number,
    toStride: number,
    size: number,
    step: number,
    relu: number,
  ): void;
  unfold(
    from: number,
    to: number,
    scratch: number,
    channels: number,
    width: number,
    height: number,
    fromStride: number,
    toStride: number,
  ): void;
  add(a: number, b: number, to: number, numbers: number, relu: number): void;
  pool(from: number, to: number, channels: number, pixels: number, stride: number, toStride: number): void;
  spread(
    a: number,
    b: number,
    to: number,
    channels: number,
    stride: number,
    bStride: number,
    relu: number,
  ): void;
  up(
    a: number,
    b: number,
    to: number,
    scratch: number,
    channels: number,
    width: number,
    height: number,
    toWidth: number,
    toHeight: number,
    stride: number,
    toStride: number,
    relu: number,
  ): void;
  likeliest(
    at: number,
    planes: number,
    stride: number,
    scale: number,
    scratch: number,
    names: number,
    odds: number,
  ): void;
  softmax(at: number, planes: number, stride: number, scale: number): void;
  sigmoid(at: number, numbers: number): void;
  scale(at: number, numbers: number, by: number): void;
}

interface Place extends Size {
  /** Address in bytes. */
  readonly at: number;
  /** Numbers from one plane to the next. */
  readonly stride: number;
  readonly bytes: number;
}

const PAGE = 65_536;
/** Least memory that the kernels are built to expect. */
const FIRST_PAGES = 16;
const ALIGN = 64;
/** 32 pixels of one input, side by side for a multiplication. */
const PANEL_BYTES = 128;
/** Eight numbers. */
const EIGHT_BYTES = 32;
/** Kernels write whole blocks of eight past the end of a picture's last row. */
const SLACK = 64;
/** Surface, boundary, centre, offset: see `Look`. */
const SURFACES = 3;
const BOUNDARY = 3;
const OFFSET = 5;

type OutputName = NonNullable<NetStep["out"]>;

/** The output planes of a network: logits; after `finish` shape and states are as in a `Look`. */
export interface NetOutput extends Size {
  readonly stride: number;
  readonly numbers: Float32Array;
}

/**
 * A network on our kernels: memory is allocated once, and results are bit-identical. With `ends` alone it allocates
 * its input and outputs only, for another runtime.
 */
export class WasmNet {
  readonly net: Net;
  /** The input channels, to be filled before `run`. */
  readonly input: NetOutput;
  readonly #memory = new WebAssembly.Memory({ initial: FIRST_PAGES });
  readonly #kernels: Kernels;
  readonly #weights = new Map<NetStep, { readonly weights: number; readonly bias: number }>();
  readonly #places = new Map<string, Place>();
  #scratch = 0;
  #unfolded = 0;
  #panel = 0;
  #exponents = 0;
  #names = 0;
  #odds = 0;
  #end = ALIGN;

  constructor(net: Net, part: "whole" | "ends" = "whole") {
    this.net = net;
    const module = new WebAssembly.Module(readFileSync(new URL("./kernels/eyes.wasm", import.meta.url)));
    const abort = () => assert(false, "the eyes' kernel aborted");
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory, abort } });
    this.#kernels = exports as unknown as Kernels;
    const packed = net.steps
      .filter((step) => part === "whole" && step.weights.length > 0)
      .map((step) => [step, packedOf(step)] as const);
    for (const [step, { weights, bias }] of packed)
      this.#weights.set(step, { weights: this.#take(weights.byteLength), bias: this.#take(bias.byteLength) });
    if (part === "whole") this.#arrange();
    else this.#arrangeEnds();
    this.#arrangeNames();
    this.#memory.grow(Math.ceil(this.#end / PAGE) + 1);
    for (const [step, { weights, bias }] of packed) {
      const at = this.#weights.get(step)!;
      new Float32Array(this.#memory.buffer, at.weights, weights.length).set(weights);
      new Float32Array(this.#memory.buffer, at.bias, bias.length).set(bias);
    }
    this.input = this.#planes("in");
  }

  /** Runs all steps; the outputs are then logits. */
  run(): void {
    for (const step of this.net.steps) this.#step(step);
  }

  output(name: OutputName): NetOutput {
    const step = this.net.steps.find(({ out }) => out === name);
    if (step === undefined) throw new LociError("model-unavailable", `the eyes' net makes no ${name}`);
    return this.#planes(step.name);
  }

  /** Turns logits of shape and states into probabilities, and offsets into grid pixels. Call once after every run. */
  finish(): void {
    const { stride, at } = this.#places.get(this.#nameOf("shape"))!;
    const plane = 4 * stride;
    this.#kernels.softmax(at, SURFACES, stride, 1);
    this.#kernels.sigmoid(at + BOUNDARY * plane, 2 * stride);
    this.#kernels.scale(at + OFFSET * plane, 2 * stride, this.net.offsetScale);
    const kinds = this.net.kinds.length;
    if (kinds === 0) return;
    const kind = this.#places.get(this.#nameOf("kind"))!;
    this.#kernels.sigmoid(kind.at + 4 * kinds * kind.stride, (kind.channels - kinds) * kind.stride);
  }

  /** The likeliest names of each cell by the logits of an output; overwritten by the next call. */
  likeliest(name: "category" | "kind"): Likeliest {
    const { stride, at } = this.#places.get(this.#nameOf(name))!;
    const { categories, temperature, kinds, kindTemperature } = this.net;
    const [count, t] =
      name === "category" ? [categories.length, temperature] : [kinds.length, kindTemperature];
    this.#kernels.likeliest(at, count, stride, 1 / t, this.#exponents, this.#names, this.#odds);
    return {
      names: new Uint8Array(this.#memory.buffer, this.#names, TOP * stride),
      odds: new Float32Array(this.#memory.buffer, this.#odds, TOP * stride),
    };
  }

  #nameOf(out: OutputName): string {
    return this.net.steps.find((step) => step.out === out)!.name;
  }

  #planes(name: string): NetOutput {
    const { at, bytes, ...size } = this.#places.get(name)!;
    return { ...size, numbers: new Float32Array(this.#memory.buffer, at, (bytes - SLACK) / 4) };
  }

  /** Allocates every intermediate picture; memory of one no longer read is reused by later ones. */
  #arrange(): void {
    const sizes = sizesOf(this.net);
    const lastUse = new Map<string, number>();
    this.net.steps.forEach(({ name, inputs, out }, i) => {
      lastUse.set(name, out === undefined ? i : this.net.steps.length);
      for (const input of inputs) lastUse.set(input, Math.max(i, lastUse.get(input) ?? 0));
    });
    const free: { at: number; bytes: number }[] = [];
    const give = (name: string) => {
      const place = roomOf(sizes.get(name)!);
      const { bytes } = place;
      const fit = free.filter((hole) => hole.bytes >= bytes).sort((a, b) => a.bytes - b.bytes)[0];
      if (fit !== undefined) free.splice(free.indexOf(fit), 1);
      const room = fit ?? { at: this.#take(bytes), bytes };
      this.#places.set(name, { ...place, at: room.at });
      return room;
    };
    // The input is filled from outside, so its memory is not reused.
    give("in");
    const rooms = new Map<string, { at: number; bytes: number }>();
    this.net.steps.forEach((step, i) => {
      rooms.set(step.name, give(step.name));
      for (const input of new Set(step.inputs)) {
        const room = rooms.get(input);
        if (room !== undefined && lastUse.get(input) === i) free.push(room);
      }
    });
    const largest = Math.max(...[...sizes.values()].map(({ width, height }) => (width + 16) * (height + 8)));
    this.#scratch = this.#take(4 * largest + 8 * SLACK);
    const unfolded = this.net.steps
      .filter(({ kind }) => kind === "conv")
      .map(({ i, name }) => 9 * i * this.#places.get(name)!.stride * 4);
    const inputs = Math.max(...this.net.steps.map(({ kind, i }) => (kind === "conv" ? 9 * i : i)));
    this.#panel = this.#take(inputs * PANEL_BYTES);
    this.#unfolded = this.#take(Math.max(0, ...unfolded) + SLACK);
  }

  #arrangeEnds(): void {
    const sizes = sizesOf(this.net);
    const outputs = this.net.steps.filter(({ out }) => out !== undefined).map(({ name }) => name);
    for (const name of ["in", ...outputs]) {
      const place = roomOf(sizes.get(name)!);
      this.#places.set(name, { ...place, at: this.#take(place.bytes) });
    }
  }

  #arrangeNames(): void {
    const { categories, kinds } = this.net;
    this.#exponents = this.#take(EIGHT_BYTES * Math.max(categories.length, kinds.length));
    const most = Math.max(...[...this.#places.values()].map(({ stride }) => stride));
    this.#names = this.#take(TOP * most);
    this.#odds = this.#take(4 * TOP * most);
  }

  #take(bytes: number): number {
    const at = this.#end;
    this.#end = Math.ceil((at + bytes) / ALIGN) * ALIGN;
    return at;
  }

  #step(step: NetStep): void {
    const kernels = this.#kernels;
    const from = this.#places.get(step.inputs[0]!)!;
    const other = this.#places.get(step.inputs[1] ?? step.inputs[0]!)!;
    const to = this.#places.get(step.name)!;
    const at = this.#weights.get(step);
    const relu = step.relu ?? 0;
    switch (step.kind) {
      case "conv":
        kernels.unfold(
          from.at,
          this.#unfolded,
          this.#scratch,
          step.i,
          from.width,
          from.height,
          from.stride,
          to.stride,
        );
        kernels.point(
          this.#unfolded,
          to.at,
          at!.weights,
          at!.bias,
          this.#panel,
          9 * step.i,
          to.channels,
          to.stride,
          relu,
        );
        break;
      case "point":
        kernels.point(
          from.at,
          to.at,
          at!.weights,
          at!.bias,
          this.#panel,
          step.i,
          to.channels,
          to.stride,
          relu,
        );
        break;
      case "depth":
        kernels.depth(
          from.at,
          to.at,
          at!.weights,
          at!.bias,
          this.#scratch,
          step.i,
          from.width,
          from.height,
          from.stride,
          to.stride,
          step.k ?? 3,
          step.stride ?? 1,
          relu,
        );
        break;
      case "add":
        kernels.add(from.at, other.at, to.at, to.channels * to.stride, relu);
        break;
      case "pool":
        kernels.pool(from.at, to.at, step.i, from.width * from.height, from.stride, to.stride);
        break;
      case "spread":
        kernels.spread(from.at, other.at, to.at, step.i, from.stride, other.stride, relu);
        break;
      case "up":
        kernels.up(
          from.at,
          other.at,
          to.at,
          this.#scratch,
          step.i,
          from.width,
          from.height,
          to.width,
          to.height,
          from.stride,
          to.stride,
          relu,
        );
        break;
    }
  }
}

function roomOf({ channels, width, height }: Size): Omit<Place, "at"> {
  const stride = Math.ceil((width * height) / 8) * 8;
  return { channels, width, height, stride, bytes: Math.ceil(channels / 4) * 4 * stride * 4 + SLACK };
}

/** Weights in the kernels' order: four outputs side by side; depthwise ones unchanged. */
function packedOf({ kind, i, weights, bias }: NetStep): { weights: Float32Array; bias: Float32Array } {
  const outputs = bias.length;
  const blocks = Math.ceil(outputs / 4);
  const padded = new Float32Array(4 * blocks);
  padded.set(bias);
  if (kind === "depth") return { weights, bias: padded };
  const inputs = kind === "conv" ? 9 * i : i;
  const packed = new Float32Array(4 * blocks * inputs);
  for (let o = 0; o < outputs; o++)
    for (let k = 0; k < inputs; k++) packed[((o >> 2) * inputs + k) * 4 + (o & 3)] = weights[o * inputs + k]!;
  return { weights: packed, bias: padded };
}
