import { FLOAT, field, int, ints, model, node, numbers, shape, value, word } from "../onnx-message.ts";
import { sizesOf } from "./sizes.ts";
import { channelsOut, type Net, type NetStep } from "./weight-file.ts";

/**
 * The same network as an ONNX model: input "in", outputs "shape", "category" and, if it has finer names, "kind", all
 * logits.
 */
export function onnxOf(net: Net): Buffer {
  const sizes = sizesOf(net);
  const parts: Buffer[] = [];
  const nameOf = new Map(net.steps.map((step) => [step.name, step.out ?? step.name]));
  for (const step of net.steps) {
    const inputs = step.inputs.map((name) => nameOf.get(name) ?? name);
    const target = nameOf.get(step.name)!;
    const raw = step.relu ? `${target}.raw` : target;
    parts.push(...stepNodes(step, inputs, raw, sizes.get(step.name)!));
    if (step.relu) parts.push(node("Relu", [raw], target));
  }
  const ends = (name: string, number: number, dims: readonly number[]) =>
    field(number, value(name, FLOAT, [1, ...dims]));
  const last = net.steps.filter(({ out }) => out !== undefined);
  return model("eyes", [
    ...parts,
    ends("in", 11, [net.channels, net.height, net.width]),
    ...last.map((step) => {
      const { channels, width, height } = sizes.get(step.name)!;
      return ends(step.out!, 12, [channels, height, width]);
    }),
  ]);
}

function stepNodes(
  step: NetStep,
  inputs: readonly string[],
  output: string,
  size: { readonly channels: number; readonly width: number; readonly height: number },
): Buffer[] {
  const [a, b] = [inputs[0]!, inputs[1]!];
  switch (step.kind) {
    case "conv":
    case "point":
    case "depth":
      return convolution(step, a, output);
    case "pool":
      return [node("GlobalAveragePool", [a], output)];
    case "add":
    case "spread":
      return [node("Add", [a, b], output)];
    case "up": {
      const [sizes, larger] = [`${output}.size`, `${output}.up`];
      const attributes = [word("mode", "linear"), word("coordinate_transformation_mode", "half_pixel")];
      return [
        shape(sizes, [1, size.channels, size.height, size.width]),
        node("Resize", [a, "", "", sizes], larger, attributes),
        node("Add", [larger, b], output),
      ];
    }
  }
}

function convolution(step: NetStep, input: string, output: string): Buffer[] {
  const [weights, bias] = [`${output}.w`, `${output}.b`];
  const side = step.kind === "point" ? 1 : (step.k ?? 3);
  const stride = step.kind === "conv" ? 2 : (step.stride ?? 1);
  const edge = side >> 1;
  const group = step.kind === "depth" ? step.i : 1;
  const out = channelsOut(step);
  const attributes = [
    ints("kernel_shape", [side, side]),
    ints("strides", [stride, stride]),
    ints("pads", [edge, edge, edge, edge]),
    int("group", group),
  ];
  return [
    numbers(weights, [out, step.i / group, side, side], (i) => step.weights[i]!),
    numbers(bias, [out], (i) => step.bias[i]!),
    node("Conv", [input, weights, bias], output, attributes),
  ];
}
