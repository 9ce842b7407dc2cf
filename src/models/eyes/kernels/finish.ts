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
