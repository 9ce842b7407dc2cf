import { relu } from "./relu";

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
