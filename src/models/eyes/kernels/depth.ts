import { relu } from "./relu";

/** A plane with a border of `edge` zeros and rows of `row` numbers; so are 32 numbers behind the last. */
function bordered(from: usize, to: usize, width: u32, height: u32, edge: u32, row: u32): void {
  memory.fill(to, 0, (<usize>(height + 2 * edge) * row + 32) << 2);
  let at = to + ((<usize>(edge * row + edge)) << 2);
  for (let y: u32 = 0; y < height; y++) {
    memory.copy(at, from, (<usize>width) << 2);
    from += (<usize>width) << 2;
    at += (<usize>row) << 2;
  }
}

/** Numbers in a row of `bordered`. */
function rowOf(width: u32, edge: u32): u32 {
  return (width + 2 * edge + 7) & ~3;
}

/**
 * A depthwise convolution of 3×3 or 5×5, stride 1 or 2. Eight pixels at a time; where a row is no multiple of eight, what
 * is written past its end is overwritten by the next row, after the last plane by nobody: tensors have 16 numbers of slack.
 */
export function depth(
  from: usize,
  to: usize,
  weights: usize,
  bias: usize,
  scratch: usize,
  channels: u32,
  width: u32,
  height: u32,
  fromStride: u32,
  toStride: u32,
  size: u32,
  step: u32,
  positive: bool,
): void {
  const edge = size >> 1;
  const row = rowOf(width, edge);
  const rowBytes = (<usize>row) << 2;
  const outWidth = (width + step - 1) / step;
  const outHeight = (height + step - 1) / step;
  for (let c: u32 = 0; c < channels; c++) {
    bordered(from + ((<usize>c * fromStride) << 2), scratch, width, height, edge, row);
    const w = weights + ((<usize>c * size * size) << 2);
    const start = v128.load32_splat(bias + ((<usize>c) << 2));
    let out = to + ((<usize>c * toStride) << 2);
    for (let y: u32 = 0; y < outHeight; y++) {
      const line = scratch + ((<usize>y * step * row) << 2);
      if (step === 1 && size === 3) row3(line, out, w, start, rowBytes, outWidth, positive);
      else if (step === 1) row5(line, out, w, start, rowBytes, outWidth, positive);
      else if (size === 3) row3By2(line, out, w, start, rowBytes, outWidth, positive);
      else row5By2(line, out, w, start, rowBytes, outWidth, positive);
      out += (<usize>outWidth) << 2;
    }
  }
}

// Rows of a depthwise convolution, eight pixels at a time; the taps of a row are written out.

function even(p: usize, o: usize): v128 {
  return v128.shuffle<i32>(v128.load(p + o), v128.load(p + o, 16), 0, 2, 4, 6);
}

function row3(
  line: usize,
  out: usize,
  weights: usize,
  start: v128,
  row: usize,
  width: u32,
  positive: bool,
): void {
  for (let x: u32 = 0; x < width; x += 8) {
    let a = start;
    let c = start;
    let weight = weights;
    let p = line + ((<usize>x) << 2);
    for (let i = 0; i < 3; i++) {
      let w = v128.load32_splat(weight);
      a = f32x4.add(a, f32x4.mul(v128.load(p, 0), w));
      c = f32x4.add(c, f32x4.mul(v128.load(p, 16), w));
      w = v128.load32_splat(weight, 4);
      a = f32x4.add(a, f32x4.mul(v128.load(p, 4), w));
      c = f32x4.add(c, f32x4.mul(v128.load(p, 20), w));
      w = v128.load32_splat(weight, 8);
      a = f32x4.add(a, f32x4.mul(v128.load(p, 8), w));
      c = f32x4.add(c, f32x4.mul(v128.load(p, 24), w));
      weight += 12;
      p += row;
    }
    v128.store(out + ((<usize>x) << 2), relu(a, positive));
    v128.store(out + ((<usize>x) << 2), relu(c, positive), 16);
  }
}

function row5(
  line: usize,
  out: usize,
  weights: usize,
  start: v128,
  row: usize,
  width: u32,
  positive: bool,
): void {
  for (let x: u32 = 0; x < width; x += 8) {
    let a = start;
    let c = start;
    let weight = weights;
    let p = line + ((<usize>x) << 2);
    for (let i = 0; i < 5; i++) {
      let w = v128.load32_splat(weight);
      a = f32x4.add(a, f32x4.mul(v128.load(p, 0), w));
      c = f32x4.add(c, f32x4.mul(v128.load(p, 16), w));
      w = v128.load32_splat(weight, 4);
      a = f32x4.add(a, f32x4.mul(v128.load(p, 4), w));
      c = f32x4.add(c, f32x4.mul(v128.load(p, 20), w));
      w = v128.load32_splat(weight, 8);
      a = f32x4.add(a, f32x4.mul(v128.load(p, 8), w));
      c = f32x4.add(c, f32x4.mul(v128.load(p, 24), w));
      w = v128.load32_splat(weight, 12);
      a = f32x4.add(a, f32x4.mul(v128.load(p, 12), w));
      c = f32x4.add(c, f32x4.mul(v128.load(p, 28), w));
      w = v128.load32_splat(weight, 16);
      a = f32x4.add(a, f32x4.mul(v128.load(p, 16), w));
      c = f32x4.add(c, f32x4.mul(v128.load(p, 32), w));
      weight += 20;
      p += row;
    }
    v128.store(out + ((<usize>x) << 2), relu(a, positive));
    v128.store(out + ((<usize>x) << 2), relu(c, positive), 16);
  }
}

function row3By2(
  line: usize,
  out: usize,
  weights: usize,
  start: v128,
  row: usize,
  width: u32,
  positive: bool,
): void {
  for (let x: u32 = 0; x < width; x += 8) {
    let a = start;
    let c = start;
    let weight = weights;
    let p = line + ((<usize>x) << 3);
    for (let i = 0; i < 3; i++) {
      let w = v128.load32_splat(weight);
      a = f32x4.add(a, f32x4.mul(even(p, 0), w));
      c = f32x4.add(c, f32x4.mul(even(p, 32), w));
      w = v128.load32_splat(weight, 4);
      a = f32x4.add(a, f32x4.mul(even(p, 4), w));
      c = f32x4.add(c, f32x4.mul(even(p, 36), w));
      w = v128.load32_splat(weight, 8);
      a = f32x4.add(a, f32x4.mul(even(p, 8), w));
      c = f32x4.add(c, f32x4.mul(even(p, 40), w));
      weight += 12;
      p += row;
    }
    v128.store(out + ((<usize>x) << 2), relu(a, positive));
    v128.store(out + ((<usize>x) << 2), relu(c, positive), 16);
  }
}

function row5By2(
  line: usize,
  out: usize,
  weights: usize,
  start: v128,
  row: usize,
  width: u32,
  positive: bool,
): void {
  for (let x: u32 = 0; x < width; x += 8) {
    let a = start;
    let c = start;
    let weight = weights;
    let p = line + ((<usize>x) << 3);
    for (let i = 0; i < 5; i++) {
      let w = v128.load32_splat(weight);
      a = f32x4.add(a, f32x4.mul(even(p, 0), w));
      c = f32x4.add(c, f32x4.mul(even(p, 32), w));
      w = v128.load32_splat(weight, 4);
      a = f32x4.add(a, f32x4.mul(even(p, 4), w));
      c = f32x4.add(c, f32x4.mul(even(p, 36), w));
      w = v128.load32_splat(weight, 8);
      a = f32x4.add(a, f32x4.mul(even(p, 8), w));
      c = f32x4.add(c, f32x4.mul(even(p, 40), w));
      w = v128.load32_splat(weight, 12);
      a = f32x4.add(a, f32x4.mul(even(p, 12), w));
      c = f32x4.add(c, f32x4.mul(even(p, 44), w));
      w = v128.load32_splat(weight, 16);
      a = f32x4.add(a, f32x4.mul(even(p, 16), w));
      c = f32x4.add(c, f32x4.mul(even(p, 48), w));
      weight += 20;
      p += row;
    }
    v128.store(out + ((<usize>x) << 2), relu(a, positive));
    v128.store(out + ((<usize>x) << 2), relu(c, positive), 16);
  }
}

/** The nine shifted planes of every channel, at half the size: a 3×3 convolution of stride 2 is then a 1×1 one. */
export function unfold(
  from: usize,
  to: usize,
  scratch: usize,
  channels: u32,
  width: u32,
  height: u32,
  fromStride: u32,
  toStride: u32,
): void {
  const row = rowOf(width, 1);
  const outWidth = (width + 1) >> 1;
  const outHeight = (height + 1) >> 1;
  for (let c: u32 = 0; c < channels; c++) {
    bordered(from + ((<usize>c * fromStride) << 2), scratch, width, height, 1, row);
    for (let k: u32 = 0; k < 9; k++) {
      let out = to + ((<usize>(c * 9 + k) * toStride) << 2);
      for (let y: u32 = 0; y < outHeight; y++) {
        const line = scratch + ((<usize>(2 * y + k / 3) * row + (k % 3)) << 2);
        for (let x: u32 = 0; x < outWidth; x += 4) {
          const q = line + ((<usize>x) << 3);
          v128.store(out + ((<usize>x) << 2), v128.shuffle<i32>(v128.load(q), v128.load(q, 16), 0, 2, 4, 6));
        }
        out += (<usize>outWidth) << 2;
      }
    }
  }
}
