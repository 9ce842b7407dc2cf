/**
 * Rows times rows, so many of x by so many of w: y[r][o] = Σ x[r][i] · w[o][i]. The sum of each pair is made in the same
 * order in all of them: eight strands, then their total.
 */

export function product1x1(x: usize, w: usize, bytes: usize, y: usize): void {
  let a = f32x4.splat(0);
  let b = f32x4.splat(0);
  for (let i: usize = 0; i < bytes; i += 32) {
    a = f32x4.add(a, f32x4.mul(v128.load(w + i), v128.load(x + i)));
    b = f32x4.add(b, f32x4.mul(v128.load(w + i, 16), v128.load(x + i, 16)));
  }
  store<f32>(y, total(f32x4.add(a, b)));
}

/** Two at a time: more streams of a matrix that is not in the cache come in no faster. */
export function product1x2(x: usize, w0: usize, bytes: usize, y: usize): void {
  const w1 = w0 + bytes;
  let a0 = f32x4.splat(0);
  let b0 = f32x4.splat(0);
  let a1 = f32x4.splat(0);
  let b1 = f32x4.splat(0);
  for (let i: usize = 0; i < bytes; i += 32) {
    const p = v128.load(x + i);
    const q = v128.load(x + i, 16);
    a0 = f32x4.add(a0, f32x4.mul(p, v128.load(w0 + i)));
    b0 = f32x4.add(b0, f32x4.mul(q, v128.load(w0 + i, 16)));
    a1 = f32x4.add(a1, f32x4.mul(p, v128.load(w1 + i)));
    b1 = f32x4.add(b1, f32x4.mul(q, v128.load(w1 + i, 16)));
  }
  store<f32>(y, total(f32x4.add(a0, b0)));
  store<f32>(y, total(f32x4.add(a1, b1)), 4);
}

export function product2x2(x0: usize, w0: usize, bytes: usize, y: usize, next: usize): void {
  const x1 = x0 + bytes;
  const w1 = w0 + bytes;
  let a00 = f32x4.splat(0);
  let b00 = f32x4.splat(0);
  let a01 = f32x4.splat(0);
  let b01 = f32x4.splat(0);
  let a10 = f32x4.splat(0);
  let b10 = f32x4.splat(0);
  let a11 = f32x4.splat(0);
  let b11 = f32x4.splat(0);
  for (let i: usize = 0; i < bytes; i += 32) {
    const p0 = v128.load(w0 + i);
    const q0 = v128.load(w0 + i, 16);
    const p1 = v128.load(w1 + i);
    const q1 = v128.load(w1 + i, 16);
    let p = v128.load(x0 + i);
    let q = v128.load(x0 + i, 16);
    a00 = f32x4.add(a00, f32x4.mul(p, p0));
    b00 = f32x4.add(b00, f32x4.mul(q, q0));
    a01 = f32x4.add(a01, f32x4.mul(p, p1));
    b01 = f32x4.add(b01, f32x4.mul(q, q1));
    p = v128.load(x1 + i);
    q = v128.load(x1 + i, 16);
    a10 = f32x4.add(a10, f32x4.mul(p, p0));
    b10 = f32x4.add(b10, f32x4.mul(q, q0));
    a11 = f32x4.add(a11, f32x4.mul(p, p1));
    b11 = f32x4.add(b11, f32x4.mul(q, q1));
  }
  store<f32>(y, total(f32x4.add(a00, b00)));
  store<f32>(y, total(f32x4.add(a01, b01)), 4);
  store<f32>(y + next, total(f32x4.add(a10, b10)));
  store<f32>(y + next, total(f32x4.add(a11, b11)), 4);
}

export function product3x2(x0: usize, w0: usize, bytes: usize, y: usize, next: usize): void {
  const x1 = x0 + bytes;
  const x2 = x1 + bytes;
  const w1 = w0 + bytes;
  let a00 = f32x4.splat(0);
  let b00 = f32x4.splat(0);
  let a01 = f32x4.splat(0);
  let b01 = f32x4.splat(0);
  let a10 = f32x4.splat(0);
  let b10 = f32x4.splat(0);
  let a11 = f32x4.splat(0);
  let b11 = f32x4.splat(0);
  let a20 = f32x4.splat(0);
  let b20 = f32x4.splat(0);
  let a21 = f32x4.splat(0);
  let b21 = f32x4.splat(0);
  for (let i: usize = 0; i < bytes; i += 32) {
    const p0 = v128.load(w0 + i);
    const q0 = v128.load(w0 + i, 16);
    const p1 = v128.load(w1 + i);
    const q1 = v128.load(w1 + i, 16);
    let p = v128.load(x0 + i);
    let q = v128.load(x0 + i, 16);
    a00 = f32x4.add(a00, f32x4.mul(p, p0));
    b00 = f32x4.add(b00, f32x4.mul(q, q0));
    a01 = f32x4.add(a01, f32x4.mul(p, p1));
    b01 = f32x4.add(b01, f32x4.mul(q, q1));
    p = v128.load(x1 + i);
    q = v128.load(x1 + i, 16);
    a10 = f32x4.add(a10, f32x4.mul(p, p0));
    b10 = f32x4.add(b10, f32x4.mul(q, q0));
    a11 = f32x4.add(a11, f32x4.mul(p, p1));
    b11 = f32x4.add(b11, f32x4.mul(q, q1));
    p = v128.load(x2 + i);
    q = v128.load(x2 + i, 16);
    a20 = f32x4.add(a20, f32x4.mul(p, p0));
    b20 = f32x4.add(b20, f32x4.mul(q, q0));
    a21 = f32x4.add(a21, f32x4.mul(p, p1));
    b21 = f32x4.add(b21, f32x4.mul(q, q1));
  }
  store<f32>(y, total(f32x4.add(a00, b00)));
  store<f32>(y, total(f32x4.add(a01, b01)), 4);
  store<f32>(y + next, total(f32x4.add(a10, b10)));
  store<f32>(y + next, total(f32x4.add(a11, b11)), 4);
  store<f32>(y + 2 * next, total(f32x4.add(a20, b20)));
  store<f32>(y + 2 * next, total(f32x4.add(a21, b21)), 4);
}

function total(sum: v128): f32 {
  return (
    f32x4.extract_lane(sum, 0) +
    f32x4.extract_lane(sum, 1) +
    (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  );
}
