// The steps of the eyes' net over planes of 32-bit numbers. A picture of C channels is C planes, each a stride of
// numbers apart; a stride is a multiple of 8, so blocks of 8 pixels need no remainder. All sums go in one fixed order
// and nothing is fused, so every CPU gives the same bits.

function relu(v: v128, on: bool): v128 {
  return on ? f32x4.max(v, f32x4.splat(0)) : v;
}

/** Pixels that are copied together before they are multiplied. */
const PANEL: u32 = 32;

/**
 * A 1×1 convolution. Planes lie far apart, so the inputs of 32 pixels are first copied side by side (`panel`, 128 bytes
 * an input); then four outputs by eight pixels at a time, eight sums in registers. `weights` lie as [outputs/4][inputs][4],
 * `bias` as [outputs/4][4]; the output has room for a multiple of four planes.
 */
export function point(
  from: usize,
  to: usize,
  weights: usize,
  bias: usize,
  panel: usize,
  inputs: u32,
  outputs: u32,
  stride: u32,
  positive: bool,
): void {
  const plane = (<usize>stride) << 2;
  const blocks = (outputs + 3) >> 2;
  for (let first: u32 = 0; first < stride; first += PANEL) {
    const bytes = (<usize>min(PANEL, stride - first)) << 2;
    let p = from + ((<usize>first) << 2);
    let q = panel;
    for (let i: u32 = 0; i < inputs; i++) {
      for (let o: usize = 0; o < bytes; o += 32) {
        v128.store(q + o, v128.load(p + o));
        v128.store(q + o, v128.load(p + o, 16), 16);
      }
      p += plane;
      q += PANEL << 2;
    }
    for (let block: u32 = 0; block < blocks; block++) {
      const w = weights + ((<usize>block * inputs) << 4);
      const out = to + ((<usize>block) << 2) * plane + ((<usize>first) << 2);
      for (let o: usize = 0; o < bytes; o += 32)
        fourByEight(panel + o, out + o, w, bias + ((<usize>block) << 4), inputs, plane, positive);
    }
  }
}

function fourByEight(
  p: usize,
  o: usize,
  w: usize,
  b: usize,
  inputs: u32,
  plane: usize,
  positive: bool,
): void {
  let a0 = v128.load32_splat(b);
  let a1 = v128.load32_splat(b, 4);
  let a2 = v128.load32_splat(b, 8);
  let a3 = v128.load32_splat(b, 12);
  let c0 = a0;
  let c1 = a1;
  let c2 = a2;
  let c3 = a3;
  for (let i: u32 = 0; i < inputs; i++) {
    const x = v128.load(p);
    const y = v128.load(p, 16);
    const w0 = v128.load32_splat(w);
    a0 = f32x4.add(a0, f32x4.mul(x, w0));
    c0 = f32x4.add(c0, f32x4.mul(y, w0));
    const w1 = v128.load32_splat(w, 4);
    a1 = f32x4.add(a1, f32x4.mul(x, w1));
    c1 = f32x4.add(c1, f32x4.mul(y, w1));
    const w2 = v128.load32_splat(w, 8);
    a2 = f32x4.add(a2, f32x4.mul(x, w2));
    c2 = f32x4.add(c2, f32x4.mul(y, w2));
    const w3 = v128.load32_splat(w, 12);
    a3 = f32x4.add(a3, f32x4.mul(x, w3));
    c3 = f32x4.add(c3, f32x4.mul(y, w3));
    p += PANEL << 2;
    w += 16;
  }
  v128.store(o, relu(a0, positive));
  v128.store(o, relu(c0, positive), 16);
  o += plane;
  v128.store(o, relu(a1, positive));
  v128.store(o, relu(c1, positive), 16);
  o += plane;
  v128.store(o, relu(a2, positive));
  v128.store(o, relu(c2, positive), 16);
  o += plane;
  v128.store(o, relu(a3, positive));
  v128.store(o, relu(c3, positive), 16);
}

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

/** The sum of two pictures. */
export function add(a: usize, b: usize, to: usize, numbers: u32, positive: bool): void {
  const bytes = (<usize>numbers) << 2;
  for (let at: usize = 0; at < bytes; at += 16)
    v128.store(to + at, relu(f32x4.add(v128.load(a + at), v128.load(b + at)), positive));
}

/** The mean of every plane, each as a picture of one pixel. */
export function pool(from: usize, to: usize, channels: u32, pixels: u32, stride: u32, toStride: u32): void {
  for (let c: u32 = 0; c < channels; c++) {
    let sum: f32 = 0;
    const p = from + ((<usize>c * stride) << 2);
    for (let i: u32 = 0; i < pixels; i++) sum += load<f32>(p + ((<usize>i) << 2));
    store<f32>(to + ((<usize>c * toStride) << 2), sum / <f32>pixels);
  }
}

/** One number a channel, added to all of its pixels. */
export function spread(
  a: usize,
  b: usize,
  to: usize,
  channels: u32,
  stride: u32,
  bStride: u32,
  positive: bool,
): void {
  for (let c: u32 = 0; c < channels; c++) {
    const more = v128.load32_splat(b + ((<usize>c * bStride) << 2));
    const from = (<usize>c * stride) << 2;
    for (let at: usize = 0; at < (<usize>stride) << 2; at += 16)
      v128.store(to + from + at, relu(f32x4.add(v128.load(a + from + at), more), positive));
  }
}

/** Where a pixel of `size` falls in a shorter line: the lower neighbour, and how far towards the next. */
function placeIn(i: u32, size: u32, line: u32): f32 {
  const at: f32 = (<f32>i + 0.5) * (<f32>line / <f32>size) - 0.5;
  return at < 0 ? 0 : at;
}

/** A picture in the size of another, between its pixels (corners not aligned), plus that other. `scratch` holds one row of each. */
export function up(
  a: usize,
  b: usize,
  to: usize,
  scratch: usize,
  channels: u32,
  width: u32,
  height: u32,
  toWidth: u32,
  toHeight: u32,
  stride: u32,
  toStride: u32,
  positive: bool,
): void {
  const lefts = scratch;
  const shares = scratch + ((<usize>toWidth) << 2);
  const mixed = scratch + ((<usize>toWidth) << 3);
  for (let x: u32 = 0; x < toWidth; x++) {
    const at = placeIn(x, toWidth, width);
    const left = min(<u32>at, width - 1);
    store<u32>(lefts + ((<usize>x) << 2), left);
    store<f32>(shares + ((<usize>x) << 2), at - <f32>left);
  }
  for (let c: u32 = 0; c < channels; c++) {
    const plane = a + ((<usize>c * stride) << 2);
    for (let y: u32 = 0; y < toHeight; y++) {
      const at = placeIn(y, toHeight, height);
      const upper = min(<u32>at, height - 1);
      const lower = min(upper + 1, height - 1);
      const share = f32x4.splat(at - <f32>upper);
      const p = plane + ((<usize>upper * width) << 2);
      const q = plane + ((<usize>lower * width) << 2);
      for (let x: usize = 0; x < (<usize>width) << 2; x += 16) {
        const u = v128.load(p + x);
        v128.store(mixed + x, f32x4.add(u, f32x4.mul(f32x4.sub(v128.load(q + x), u), share)));
      }
      // The pixel behind the last is the last.
      store<f32>(mixed + ((<usize>width) << 2), load<f32>(mixed + ((<usize>(width - 1)) << 2)));
      const line = (<usize>c * toStride + <usize>y * toWidth) << 2;
      for (let x: usize = 0; x < (<usize>toWidth) << 2; x += 4) {
        const r = mixed + ((<usize>load<u32>(lefts + x)) << 2);
        const left = load<f32>(r);
        let v = left + (load<f32>(r, 4) - left) * load<f32>(shares + x) + load<f32>(b + line + x);
        if (positive && v < 0) v = 0;
        store<f32>(to + line + x, v);
      }
    }
  }
}

/** e to the power of four numbers: 2ⁿ times a polynomial on ±½ ln 2 (Cephes, error below 2e-7). */
function exp4(x: v128): v128 {
  x = f32x4.max(f32x4.min(x, f32x4.splat(88)), f32x4.splat(-87));
  const n = f32x4.nearest(f32x4.mul(x, f32x4.splat(Mathf.LOG2E)));
  let r = f32x4.sub(x, f32x4.mul(n, f32x4.splat(0.693359375)));
  r = f32x4.add(r, f32x4.mul(n, f32x4.splat(2.1219444e-4)));
  let p = f32x4.splat(1.98756915e-4);
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.3981999507e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(8.3334519073e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(4.1665795894e-2));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.6666665459e-1));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(5.0000001201e-1));
  p = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), f32x4.splat(1));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
  return f32x4.mul(p, power);
}

/** Probabilities over planes, of numbers times `scale` (one over the temperature). In place. */
export function softmax(at: usize, planes: u32, stride: u32, scale: f32): void {
  const plane = (<usize>stride) << 2;
  const s = f32x4.splat(scale);
  for (let i: usize = 0; i < plane; i += 16) {
    let most = v128.load(at + i);
    for (let c: u32 = 1; c < planes; c++) most = f32x4.max(most, v128.load(at + i + <usize>c * plane));
    let sum = f32x4.splat(0);
    for (let c: u32 = 0; c < planes; c++) {
      const p = at + i + <usize>c * plane;
      const e = exp4(f32x4.mul(f32x4.sub(v128.load(p), most), s));
      sum = f32x4.add(sum, e);
      v128.store(p, e);
    }
    const part = f32x4.div(f32x4.splat(1), sum);
    for (let c: u32 = 0; c < planes; c++) {
      const p = at + i + <usize>c * plane;
      v128.store(p, f32x4.mul(v128.load(p), part));
    }
  }
}

/** 1 / (1 + e⁻ˣ), in place. */
export function sigmoid(at: usize, numbers: u32): void {
  for (let i: usize = 0; i < (<usize>numbers) << 2; i += 16) {
    const e = exp4(f32x4.neg(v128.load(at + i)));
    v128.store(at + i, f32x4.div(f32x4.splat(1), f32x4.add(e, f32x4.splat(1))));
  }
}

/** Times a number, in place. */
export function scale(at: usize, numbers: u32, by: f32): void {
  for (let i: usize = 0; i < (<usize>numbers) << 2; i += 16)
    v128.store(at + i, f32x4.mul(v128.load(at + i), f32x4.splat(by)));
}
