import { LociError } from "../../schema/errors.ts";
import { channelsOut, type Net } from "./weight-file.ts";

export interface Size {
  readonly channels: number;
  readonly width: number;
  readonly height: number;
}

/** The size of every intermediate picture by its step's name; "in" is the input. */
export function sizesOf(net: Net): ReadonlyMap<string, Size> {
  const sizes = new Map<string, Size>([
    ["in", { channels: net.channels, width: net.width, height: net.height }],
  ]);
  for (const step of net.steps) {
    const [from, other] = step.inputs.map((name) => sizes.get(name));
    if (from === undefined || (step.inputs.length > 1 && other === undefined))
      throw new LociError(
        "model-unavailable",
        `the eyes' net is not usable: step ${step.name} comes before its input`,
      );
    if (from.channels !== step.i)
      throw new LociError(
        "model-unavailable",
        `the eyes' net is not usable: step ${step.name} expects ${step.i} channels`,
      );
    const by = step.kind === "conv" ? 2 : (step.stride ?? 1);
    const { width, height } =
      step.kind === "pool"
        ? { width: 1, height: 1 }
        : step.kind === "up"
          ? other!
          : { width: Math.ceil(from.width / by), height: Math.ceil(from.height / by) };
    sizes.set(step.name, { channels: channelsOut(step), width, height });
  }
  return sizes;
}
