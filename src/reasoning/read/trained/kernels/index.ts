/** Rows times a matrix, four numbers at a time. AssemblyScript; scripts/build-kernels.ts makes times.wasm of it. */

/**
 * y[r][o] = Σ x[r][i] · w[o][i]; places are bytes, `from` a multiple of 8. Three rows go together, as many as ways of
 * writing a question down are followed, so that a number of the matrix is loaded once for them. Sums are made in the
 * same order for each row, whoever goes along.
 */
export function times(x: usize, n: i32, w: usize, into: i32, from: i32, y: usize): void {
  const bytes = (<usize>from) << 2;
  const next = (<usize>into) << 2;
  for (let out: i32 = 0; out < into; out++) {
    const row = w + <usize>out * bytes;
    let to = y + ((<usize>out) << 2);
    let at = x;
    let r: i32 = 0;
    for (; r + 3 <= n; r += 3) {
      const at1 = at + bytes;
      const at2 = at1 + bytes;
      let a0 = f32x4.splat(0);
      let b0 = f32x4.splat(0);
      let a1 = f32x4.splat(0);
      let b1 = f32x4.splat(0);
      let a2 = f32x4.splat(0);
      let b2 = f32x4.splat(0);
      for (let i: usize = 0; i < bytes; i += 32) {
        const p = v128.load(row + i);
        const q = v128.load(row + i, 16);
        a0 = f32x4.add(a0, f32x4.mul(p, v128.load(at + i)));
        b0 = f32x4.add(b0, f32x4.mul(q, v128.load(at + i, 16)));
        a1 = f32x4.add(a1, f32x4.mul(p, v128.load(at1 + i)));
        b1 = f32x4.add(b1, f32x4.mul(q, v128.load(at1 + i, 16)));
        a2 = f32x4.add(a2, f32x4.mul(p, v128.load(at2 + i)));
        b2 = f32x4.add(b2, f32x4.mul(q, v128.load(at2 + i, 16)));
      }
      store<f32>(to, total(f32x4.add(a0, b0)));
      store<f32>(to + next, total(f32x4.add(a1, b1)));
      store<f32>(to + 2 * next, total(f32x4.add(a2, b2)));
      to += 3 * next;
      at = at2 + bytes;
    }
    for (; r < n; r++) {
      let a = f32x4.splat(0);
      let b = f32x4.splat(0);
      for (let i: usize = 0; i < bytes; i += 32) {
        a = f32x4.add(a, f32x4.mul(v128.load(row + i), v128.load(at + i)));
        b = f32x4.add(b, f32x4.mul(v128.load(row + i, 16), v128.load(at + i, 16)));
      }
      store<f32>(to, total(f32x4.add(a, b)));
      to += next;
      at += bytes;
    }
  }
}

function total(sum: v128): f32 {
  return (
    f32x4.extract_lane(sum, 0) +
    f32x4.extract_lane(sum, 1) +
    (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  );
}
