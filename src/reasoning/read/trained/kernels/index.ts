/** Rows times a matrix, four numbers at a time. AssemblyScript; scripts/build-kernels.ts makes times.wasm of it. */

/** y[r][o] = Σ x[r][i] · w[o][i]; places are bytes, `from` a multiple of 8. */
export function times(x: usize, n: i32, w: usize, into: i32, from: i32, y: usize): void {
  const bytes = (<usize>from) << 2;
  for (let out: i32 = 0; out < into; out++) {
    const row = w + <usize>out * bytes;
    for (let r: i32 = 0; r < n; r++) {
      const at = x + <usize>r * bytes;
      let a = f32x4.splat(0);
      let b = f32x4.splat(0);
      for (let i: usize = 0; i < bytes; i += 32) {
        a = f32x4.add(a, f32x4.mul(v128.load(row + i), v128.load(at + i)));
        b = f32x4.add(b, f32x4.mul(v128.load(row + i, 16), v128.load(at + i, 16)));
      }
      const sum = f32x4.add(a, b);
      const total =
        f32x4.extract_lane(sum, 0) +
        f32x4.extract_lane(sum, 1) +
        (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3));
      store<f32>(y + ((<usize>r * <usize>into + <usize>out) << 2), total);
    }
  }
}
