import { relu } from "./relu";

/** Pixels that are copied together before they are multiplied. */
const PANEL: u32 = 32;

/**
 * A 1×1 convolution. Planes lie far apart, so the inputs of 32 pixels are first copied side by side (`panel`, 128 bytes
 * an input); then four outputs by sixteen pixels at a time, sixteen sums in registers, and by eight what is left. `weights` lie as [outputs/4][inputs][4],
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
      const b = bias + ((<usize>block) << 4);
      let o: usize = 0;
      for (; o + 64 <= bytes; o += 64) fourBySixteen(panel + o, out + o, w, b, inputs, plane, positive);
      if (o < bytes) fourByEight(panel + o, out + o, w, b, inputs, plane, positive);
    }
  }
}

function fourBySixteen(
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
  let d0 = a0;
  let d1 = a1;
  let d2 = a2;
  let d3 = a3;
  let e0 = a0;
  let e1 = a1;
  let e2 = a2;
  let e3 = a3;
  for (let i: u32 = 0; i < inputs; i++) {
    const x = v128.load(p);
    const y = v128.load(p, 16);
    const z = v128.load(p, 32);
    const u = v128.load(p, 48);
    const w0 = v128.load32_splat(w);
    a0 = f32x4.add(a0, f32x4.mul(x, w0));
    c0 = f32x4.add(c0, f32x4.mul(y, w0));
    d0 = f32x4.add(d0, f32x4.mul(z, w0));
    e0 = f32x4.add(e0, f32x4.mul(u, w0));
    const w1 = v128.load32_splat(w, 4);
    a1 = f32x4.add(a1, f32x4.mul(x, w1));
    c1 = f32x4.add(c1, f32x4.mul(y, w1));
    d1 = f32x4.add(d1, f32x4.mul(z, w1));
    e1 = f32x4.add(e1, f32x4.mul(u, w1));
    const w2 = v128.load32_splat(w, 8);
    a2 = f32x4.add(a2, f32x4.mul(x, w2));
    c2 = f32x4.add(c2, f32x4.mul(y, w2));
    d2 = f32x4.add(d2, f32x4.mul(z, w2));
    e2 = f32x4.add(e2, f32x4.mul(u, w2));
    const w3 = v128.load32_splat(w, 12);
    a3 = f32x4.add(a3, f32x4.mul(x, w3));
    c3 = f32x4.add(c3, f32x4.mul(y, w3));
    d3 = f32x4.add(d3, f32x4.mul(z, w3));
    e3 = f32x4.add(e3, f32x4.mul(u, w3));
    p += PANEL << 2;
    w += 16;
  }
  storeSixteen(o, a0, c0, d0, e0, positive);
  storeSixteen(o + plane, a1, c1, d1, e1, positive);
  storeSixteen(o + 2 * plane, a2, c2, d2, e2, positive);
  storeSixteen(o + 3 * plane, a3, c3, d3, e3, positive);
}

function storeSixteen(o: usize, a: v128, c: v128, d: v128, e: v128, positive: bool): void {
  v128.store(o, relu(a, positive));
  v128.store(o, relu(c, positive), 16);
  v128.store(o, relu(d, positive), 32);
  v128.store(o, relu(e, positive), 48);
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
