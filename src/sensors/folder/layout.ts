import type { Intrinsics } from "../../geometry/index.ts";
import { fromMatrix4, type Transform, toMatrix4 } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";

/** File names of the 7-Scenes / TSDF layout, and our own additions. */
export const INFO_FILE = "recording.json";
export const FRAMES_FILE = "frames.jsonl";
export const EDGES_FILE = "edges.jsonl";
export const INTRINSICS_FILE = "camera-intrinsics.txt";
export const COLOUR_FILE = /^frame-(\d{1,9})\.color\.(png|jpg|jpeg)$/;

/** "frame-000042" */
export function frameStem(index: number): string {
  return `frame-${String(index).padStart(6, "0")}`;
}

/** Four rows of four numbers, camera to world. */
export function poseText(worldFromCamera: Transform): string {
  const m = toMatrix4(worldFromCamera);
  return [0, 4, 8, 12].map((row) => `${m.slice(row, row + 4).join(" ")}\n`).join("");
}

/** Undefined for the infinities or zeros that lost tracking leaves. */
export function parsePose(text: string): Transform | undefined {
  const numbers = text.split(/\s+/).filter(Boolean).map(Number);
  if (numbers.length !== 16) {
    throw new LociError("invalid-input", `expected a pose of 16 numbers, got ${numbers.length}`);
  }
  try {
    return fromMatrix4(numbers);
  } catch {
    return undefined;
  }
}

/** Three rows of three numbers; pixel centres at integers, as in other tools. */
export function intrinsicsText({ fx, fy, cx, cy }: Intrinsics): string {
  return `${fx} 0 ${cx - 0.5}\n0 ${fy} ${cy - 0.5}\n0 0 1\n`;
}
