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

/** The largest 32-bit number below .03: less likely names than that say nothing. */
const LEAST: f32 = 0.03;

/**
 * The three likeliest of `planes` names at each place, by numbers times `scale` (one over the temperature): the same
 * probabilities as of `softmax`, of which only these are written, likeliest first, 0 where there are no more. Eight places
 * at a time; `scratch` holds 32 bytes a plane.
 */
export function likeliest(
  at: usize,
  planes: u32,
  stride: u32,
  scale: f32,
  scratch: usize,
  names: usize,
  odds: usize,
): void {
  const plane = (<usize>stride) << 2;
  const s = f32x4.splat(scale);
  const end = scratch + ((<usize>planes) << 5);
  for (let i: usize = 0; i < plane; i += 32) {
    let p = at + i;
    let mostA = v128.load(p);
    let mostB = v128.load(p, 16);
    for (let c: u32 = 1; c < planes; c++) {
      p += plane;
      mostA = f32x4.max(mostA, v128.load(p));
      mostB = f32x4.max(mostB, v128.load(p, 16));
    }
    let sumA = f32x4.splat(0);
    let sumB = f32x4.splat(0);
    p = at + i;
    for (let q = scratch; q < end; q += 32) {
      const a = exp4(f32x4.mul(f32x4.sub(v128.load(p), mostA), s));
      const b = exp4(f32x4.mul(f32x4.sub(v128.load(p, 16), mostB), s));
      sumA = f32x4.add(sumA, a);
      sumB = f32x4.add(sumB, b);
      v128.store(q, a);
      v128.store(q, b, 16);
      p += plane;
    }
    const one = f32x4.splat(1);
    bestOf(scratch, end, f32x4.div(one, sumA), names, odds);
    bestOf(scratch + 16, end, f32x4.div(one, sumB), names + 12, odds + 48);
    names += 24;
    odds += 96;
  }
}

/** The three largest of the numbers of four places times `part`; of equal ones the first. */
function bestOf(from: usize, end: usize, part: v128, names: usize, odds: usize): void {
  const least = f32x4.splat(LEAST);
  let first = f32x4.splat(0);
  let second = first;
  let third = first;
  let firstName = first;
  let secondName = first;
  let thirdName = first;
  let name = i32x4.splat(0);
  for (; from < end; from += 32) {
    const p = f32x4.mul(v128.load(from), part);
    const isIn = v128.and(f32x4.gt(p, third), f32x4.gt(p, least));
    if (v128.any_true(isIn)) {
      const isSecond = v128.and(isIn, f32x4.gt(p, second));
      const isFirst = v128.and(isIn, f32x4.gt(p, first));
      third = v128.bitselect(v128.bitselect(second, p, isSecond), third, isIn);
      thirdName = v128.bitselect(v128.bitselect(secondName, name, isSecond), thirdName, isIn);
      second = v128.bitselect(v128.bitselect(first, p, isFirst), second, isSecond);
      secondName = v128.bitselect(v128.bitselect(firstName, name, isFirst), secondName, isSecond);
      first = v128.bitselect(p, first, isFirst);
      firstName = v128.bitselect(name, firstName, isFirst);
    }
    name = i32x4.add(name, i32x4.splat(1));
  }
  v128.store32_lane(odds, first, 0);
  v128.store32_lane(odds, second, 0, 4);
  v128.store32_lane(odds, third, 0, 8);
  v128.store32_lane(odds, first, 1, 12);
  v128.store32_lane(odds, second, 1, 16);
  v128.store32_lane(odds, third, 1, 20);
  v128.store32_lane(odds, first, 2, 24);
  v128.store32_lane(odds, second, 2, 28);
  v128.store32_lane(odds, third, 2, 32);
  v128.store32_lane(odds, first, 3, 36);
  v128.store32_lane(odds, second, 3, 40);
  v128.store32_lane(odds, third, 3, 44);
  v128.store8_lane(names, firstName, 0);
  v128.store8_lane(names, secondName, 0, 1);
  v128.store8_lane(names, thirdName, 0, 2);
  v128.store8_lane(names, firstName, 4, 3);
  v128.store8_lane(names, secondName, 4, 4);
  v128.store8_lane(names, thirdName, 4, 5);
  v128.store8_lane(names, firstName, 8, 6);
  v128.store8_lane(names, secondName, 8, 7);
  v128.store8_lane(names, thirdName, 8, 8);
  v128.store8_lane(names, firstName, 12, 9);
  v128.store8_lane(names, secondName, 12, 10);
  v128.store8_lane(names, thirdName, 12, 11);
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
