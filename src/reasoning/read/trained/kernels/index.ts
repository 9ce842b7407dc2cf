/**
 * What a small transformer takes, on rows of numbers in one memory. AssemblyScript; scripts/build-kernels.ts makes
 * network.wasm of it. Places are bytes, and every row is a multiple of 8 numbers long. Sums are made in one order for
 * each row, whoever goes along: several rows and several outputs go together only so that a number is loaded once.
 */

import { product1x1, product1x2, product2x2, product3x2 } from "./products";

/** e to that, of whoever uses this module (`index.exp`): the very numbers of Math.exp. */
declare function exp(x: f64): f64;

/** Bytes with a scale for each row → numbers. */
export function unpack(packed: usize, scales: usize, rows: i32, columns: i32, y: usize): void {
  let from = packed;
  let to = y;
  for (let row: i32 = 0; row < rows; row++) {
    const scale = load<f32>(scales + ((<usize>row) << 2));
    for (let i: i32 = 0; i < columns; i++, from++, to += 4) store<f32>(to, scale * <f32>load<i8>(from));
  }
}

/** y[r][o] = Σ x[r][i] · w[o][i] */
export function times(x: usize, n: i32, w: usize, into: i32, from: i32, y: usize): void {
  const bytes = (<usize>from) << 2;
  const next = (<usize>into) << 2;
  const threes = n - (n % 3);
  if (threes > 0) {
    let out: i32 = 0;
    for (; out + 2 <= into; out += 2) {
      const row = w + <usize>out * bytes;
      const to = y + ((<usize>out) << 2);
      for (let r: i32 = 0; r < threes; r += 3)
        product3x2(x + <usize>r * bytes, row, bytes, to + <usize>r * next, next);
    }
    if (out < into)
      for (let r: i32 = 0; r < threes; r++)
        product1x1(
          x + <usize>r * bytes,
          w + <usize>out * bytes,
          bytes,
          y + <usize>r * next + ((<usize>out) << 2),
        );
  }
  const rest = x + <usize>threes * bytes;
  const to = y + <usize>threes * next;
  if (n - threes === 2) times2(rest, w, into, bytes, to, next);
  else if (n - threes === 1) times1(rest, w, into, bytes, to);
}

function times2(x: usize, w: usize, into: i32, bytes: usize, y: usize, next: usize): void {
  let out: i32 = 0;
  for (; out + 2 <= into; out += 2)
    product2x2(x, w + <usize>out * bytes, bytes, y + ((<usize>out) << 2), next);
  if (out < into) {
    product1x1(x, w + <usize>out * bytes, bytes, y + ((<usize>out) << 2));
    product1x1(x + bytes, w + <usize>out * bytes, bytes, y + next + ((<usize>out) << 2));
  }
}

function times1(x: usize, w: usize, into: i32, bytes: usize, y: usize): void {
  let out: i32 = 0;
  for (; out + 2 <= into; out += 2) product1x2(x, w + <usize>out * bytes, bytes, y + ((<usize>out) << 2));
  if (out < into) product1x1(x, w + <usize>out * bytes, bytes, y + ((<usize>out) << 2));
}

/** x += y */
export function add(x: usize, y: usize, length: i32): void {
  const end = x + ((<usize>length) << 2);
  for (; x < end; x += 16, y += 16) v128.store(x, f32x4.add(v128.load(x), v128.load(y)));
}

/** Adds the same row to each; what is then below `least` becomes that. */
export function addRow(x: usize, n: i32, row: usize, width: i32, least: f32): void {
  const bytes = (<usize>width) << 2;
  const floor = f32x4.splat(least);
  for (let r: i32 = 0; r < n; r++, x += bytes)
    for (let i: usize = 0; i < bytes; i += 16)
      v128.store(x + i, f32x4.pmax(f32x4.add(v128.load(x + i), v128.load(row + i)), floor));
}

/** Each row with mean 0 and variance 1, then stretched and shifted. */
export function normalise(x: usize, n: i32, width: i32, weight: usize, bias: usize, y: usize): void {
  const bytes = (<usize>width) << 2;
  for (let r: i32 = 0; r < n; r++, x += bytes, y += bytes) {
    let sum: f64 = 0;
    for (let i: usize = 0; i < bytes; i += 4) sum += <f64>load<f32>(x + i);
    const mean = sum / <f64>width;
    let squares: f64 = 0;
    for (let i: usize = 0; i < bytes; i += 4) {
      const off = <f64>load<f32>(x + i) - mean;
      squares += off * off;
    }
    const scale = 1 / sqrt(squares / <f64>width + 1e-5);
    for (let i: usize = 0; i < bytes; i += 4) {
      const even = (<f64>load<f32>(x + i) - mean) * scale;
      store<f32>(y + i, <f32>(even * <f64>load<f32>(weight + i) + <f64>load<f32>(bias + i)));
    }
  }
}

/**
 * Turns every head of the rows by their places: what is alike then depends on how far apart two stand. `turns` has
 * cosine and sine of every turn of the first row's place, then those of the next; `step` is 0 where all stand at one.
 */
export function rotate(x: usize, n: i32, width: i32, size: i32, turns: usize, step: i32): void {
  const half = (<usize>size) << 1;
  const bytes = (<usize>width) << 2;
  for (let r: i32 = 0; r < n; r++, x += bytes, turns += <usize>step * ((<usize>size) << 3))
    for (let first = x; first < x + bytes; first += 2 * half)
      for (let i: usize = 0; i < half; i += 4) {
        const cos = load<f64>(turns + 4 * i);
        const sin = load<f64>(turns + 4 * i, 8);
        const a = <f64>load<f32>(first + i);
        const b = <f64>load<f32>(first + half + i);
        store<f32>(first + i, <f32>(a * cos - b * sin));
        store<f32>(first + half + i, <f32>(a * sin + b * cos));
      }
}

/** y[n] = Σ q[i] · k[n][i], for the rows of k whose numbers are listed; `stride` is how far apart they lie. */
export function dots(q: usize, k: usize, list: usize, count: i32, size: i32, stride: usize, y: usize): void {
  const bytes = (<usize>size) << 2;
  let n: i32 = 0;
  for (; n + 4 <= count; n += 4) {
    const at = list + ((<usize>n) << 2);
    const k0 = k + <usize>load<i32>(at) * stride;
    const k1 = k + <usize>load<i32>(at, 4) * stride;
    const k2 = k + <usize>load<i32>(at, 8) * stride;
    const k3 = k + <usize>load<i32>(at, 12) * stride;
    let a: f64 = 0;
    let b: f64 = 0;
    let c: f64 = 0;
    let d: f64 = 0;
    for (let i: usize = 0; i < bytes; i += 4) {
      const p = <f64>load<f32>(q + i);
      a += p * <f64>load<f32>(k0 + i);
      b += p * <f64>load<f32>(k1 + i);
      c += p * <f64>load<f32>(k2 + i);
      d += p * <f64>load<f32>(k3 + i);
    }
    const to = y + ((<usize>n) << 3);
    store<f64>(to, a);
    store<f64>(to, b, 8);
    store<f64>(to, c, 16);
    store<f64>(to, d, 24);
  }
  for (; n < count; n++) {
    const k0 = k + <usize>load<i32>(list + ((<usize>n) << 2)) * stride;
    let a: f64 = 0;
    for (let i: usize = 0; i < bytes; i += 4) a += <f64>load<f32>(q + i) * <f64>load<f32>(k0 + i);
    store<f64>(y + ((<usize>n) << 3), a);
  }
}

/** What each of n rows of q takes from the listed rows of v, by how well it fits those of k; `fits` is room for count. */
export function attend(
  q: usize,
  n: i32,
  k: usize,
  v: usize,
  list: usize,
  count: i32,
  width: i32,
  size: i32,
  fits: usize,
  y: usize,
): void {
  const scale = 1 / sqrt(<f64>size);
  const stride = (<usize>width) << 2;
  const bytes = (<usize>size) << 2;
  for (let r: i32 = 0; r < n; r++, q += stride, y += stride)
    for (let head: usize = 0; head < stride; head += bytes) {
      dots(q + head, k + head, list, count, size, stride, fits);
      let most: f32 = -f32.MAX_VALUE;
      for (let j: usize = 0; j < <usize>count; j++)
        most = max(most, <f32>(load<f64>(fits + (j << 3)) * scale));
      let total: f64 = 0;
      for (let j: usize = 0; j < <usize>count; j++) {
        const fit = <f32>(load<f64>(fits + (j << 3)) * scale);
        const share = <f64>(<f32>exp(<f64>fit - <f64>most));
        store<f64>(fits + (j << 3), share);
        total += share;
      }
      const to = y + head;
      for (let i: usize = 0; i < bytes; i += 16) v128.store(to + i, f32x4.splat(0));
      for (let j: usize = 0; j < <usize>count; j++) {
        const from = v + head + <usize>load<i32>(list + (j << 2)) * stride;
        take(to, from, bytes, load<f64>(fits + (j << 3)) / total);
      }
    }
}

/** y += share · v, each sum made in double precision. */
function take(y: usize, v: usize, bytes: usize, share: f64): void {
  const shares = f64x2.splat(share);
  for (let i: usize = 0; i < bytes; i += 8) {
    const old = f64x2.promote_low_f32x4(v128.load64_zero(y + i));
    const own = f64x2.promote_low_f32x4(v128.load64_zero(v + i));
    const sum = f32x4.demote_f64x2_zero(f64x2.add(old, f64x2.mul(shares, own)));
    v128.store64_lane(y + i, sum, 0);
  }
}
