import { pluralOf } from "../ontology/index.ts";
import type { Detection, Frame, RgbImage } from "../schema/core.ts";
import { sentencesOf } from "./scene-text.ts";
import { rectangleOf } from "./segments.ts";

/** "drop" blackens the pixels and removes their depth; "blur" leaves coarse blocks of mean colour. */
export type RedactAction = "drop" | "blur";

/** Masks are a little too small as often as too large. */
const MARGIN_PX = 3;
/** Block size; with at most four across a thing, no face is recognisable. */
const BLOCK_PX = 8;
const BLOCKS_ACROSS = 4;

/**
 * The frame without the detections of some classes and with their pixels made unrecognisable, before anything of it
 * is stored; captions lose the sentences that name them. A frame without such detections is returned unchanged. What
 * a detector missed cannot be hidden.
 */
export function redacted(frame: Frame, classes: readonly string[], action: RedactAction): Frame {
  const names = new Set(classes.map((name) => name.trim().toLowerCase()));
  const gone = frame.detections?.filter(({ label }) => names.has(label?.trim().toLowerCase() ?? "")) ?? [];
  const captions = frame.captions && withoutSentences(frame.captions, names, gone);
  if (gone.length === 0) return captions ? { ...frame, captions } : frame;
  const { width, height } = frame.intrinsics;
  const hidden = new Uint8Array(width * height);
  const numbers = new Set<number>();
  for (const one of gone) markPixels(one, frame, hidden, numbers);
  const { rgb, depth, masks, detections } = frame;
  return {
    ...frame,
    ...(captions && { captions }),
    ...(detections && { detections: detections.filter((one) => !gone.includes(one)) }),
    ...(rgb && { rgb: hide(rgb, hidden, frame.intrinsics, gone, action) }),
    ...(masks && {
      masks: { ...masks, data: masks.data.map((number) => (numbers.has(number) ? 0 : number)) },
    }),
    ...(depth &&
      action === "drop" && {
        depth: { ...depth, data: depth.data.map((value, at) => (hidden[at] === 1 ? 0 : value)) },
      }),
  };
}

/** Marks its mask with a margin, or its box. */
function markPixels(one: Detection, frame: Frame, hidden: Uint8Array, numbers: Set<number>): void {
  const { width, height } = frame.intrinsics;
  const { masks } = frame;
  let found = false;
  if (masks && one.mask !== undefined && masks.data.length === hidden.length) {
    numbers.add(one.mask);
    for (let at = 0; at < masks.data.length; at++) {
      if (masks.data[at] !== one.mask) continue;
      found = true;
      const column = at % width;
      const row = (at - column) / width;
      for (let j = Math.max(0, row - MARGIN_PX); j <= Math.min(height - 1, row + MARGIN_PX); j++) {
        const from = j * width;
        hidden.fill(
          1,
          from + Math.max(0, column - MARGIN_PX),
          from + Math.min(width, column + MARGIN_PX + 1),
        );
      }
    }
  }
  const box = found ? undefined : rectangleOf(one.bbox, frame.intrinsics);
  for (let j = box?.top ?? 0; j < (box?.bottom ?? 0); j++) {
    hidden.fill(1, j * width + box!.left, j * width + box!.right);
  }
}

function hide(
  rgb: RgbImage,
  hidden: Uint8Array,
  size: { readonly width: number; readonly height: number },
  gone: readonly Detection[],
  action: RedactAction,
): RgbImage {
  const data = Uint8Array.from(rgb.data);
  const isHidden = (x: number, y: number): boolean => {
    const column = Math.floor(((x + 0.5) * size.width) / rgb.width);
    const row = Math.floor(((y + 0.5) * size.height) / rgb.height);
    return hidden[row * size.width + column] === 1;
  };
  const sides = gone.map(({ bbox: [left, top, right, bottom] }) => Math.max(right - left, bottom - top));
  const largest = Math.max(0, ...sides.filter(Number.isFinite)) * (rgb.width / size.width);
  const block = action === "drop" ? BLOCK_PX : Math.max(BLOCK_PX, Math.ceil(largest / BLOCKS_ACROSS));
  for (let top = 0; top < rgb.height; top += block) {
    for (let left = 0; left < rgb.width; left += block) {
      const inside: number[] = [];
      for (let y = top; y < Math.min(rgb.height, top + block); y++) {
        for (let x = left; x < Math.min(rgb.width, left + block); x++) {
          if (isHidden(x, y)) inside.push(3 * (y * rgb.width + x));
        }
      }
      const mean = action === "drop" ? [0, 0, 0] : [0, 1, 2].map((k) => meanOf(rgb.data, inside, k));
      for (const at of inside) data.set(mean, at);
    }
  }
  return { ...rgb, data };
}

function meanOf(data: Uint8Array, at: readonly number[], channel: number): number {
  return at.length === 0
    ? 0
    : Math.round(at.reduce((sum, from) => sum + data[from + channel]!, 0) / at.length);
}

/** Removes sentences that name a class, or the last word of a removed detection's phrase ("yellow fabric Anna"). */
function withoutSentences(
  captions: readonly string[],
  classes: ReadonlySet<string>,
  gone: readonly Detection[],
): string[] {
  const spoken = gone.flatMap(({ text }) => text?.toLowerCase().match(/[\p{L}\p{N}]+$/u) ?? []);
  const words = [...classes].flatMap((name) => [name, pluralOf(name)]).concat(spoken);
  const named = (line: string) => words.some((word) => ` ${wordsOf(line)} `.includes(` ${wordsOf(word)} `));
  return captions.flatMap((caption) => {
    if (!named(caption)) return [caption];
    const rest = sentencesOf(caption).filter((line) => !named(line));
    return rest.length === 0 ? [] : [rest.join(" ")];
  });
}

function wordsOf(text: string): string {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  );
}
