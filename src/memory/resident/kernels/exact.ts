import { S_DIM, S_TEXT, V_FLOAT } from "../layout";
import { cacheGet } from "./cache";
import { single } from "./scan";
import { exactScore } from "./vectors";

// Exact scores of several rows at once. Each row's sum is that of `exactScore`, bit for bit: the same products added
// in the same order. Adding in order leaves a processor idle between one addition and the next, and waiting for
// memory at the start of a vector; four rows side by side fill both gaps.

/** The address of the resident vector of a row that has exactly one, else 0. */
function resident(space: usize, slot: u32): usize {
  const lines = single(space === S_TEXT, slot);
  return lines & 1 ? cacheGet(space, lines >> 1) : 0;
}

/** Scores of the rows at `slots`, `step` bytes apart, into `out` (f64 each); NaN where the caller must do it. */
export function exactRows(v: usize, space: usize, slots: usize, step: u32, count: u32, out: usize): void {
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4) fourRows(v, space, slots + i * step, step, out + (i << 3));
  for (; i < count; i++) {
    const at = resident(space, load<u32>(slots + i * step));
    store<f64>(out + (i << 3), at === 0 ? NaN : exactScore(v, space, at));
  }
}

function fourRows(v: usize, space: usize, slots: usize, step: u32, out: usize): void {
  const query: usize = load<u32>(v, V_FLOAT);
  const end: usize = load<u32>(space, S_DIM) << 2;
  const a = resident(space, load<u32>(slots));
  const b = resident(space, load<u32>(slots + step));
  const c = resident(space, load<u32>(slots + 2 * step));
  const d = resident(space, load<u32>(slots + 3 * step));
  // Where there is no vector the query stands in, and its score is thrown away.
  const pa = a === 0 ? query : a;
  const pb = b === 0 ? query : b;
  const pc = c === 0 ? query : c;
  const pd = d === 0 ? query : d;
  // One lane a row.
  let ab = f64x2.splat(0);
  let cd = f64x2.splat(0);
  let o: usize = 0;
  for (; o + 16 <= end; o += 16) {
    const q = v128.load(query + o);
    const xa = v128.load(pa + o);
    const xb = v128.load(pb + o);
    const xc = v128.load(pc + o);
    const xd = v128.load(pd + o);
    const q0 = f64x2.promote_low_f32x4(q);
    const a0 = f64x2.mul(q0, f64x2.promote_low_f32x4(xa));
    const b0 = f64x2.mul(q0, f64x2.promote_low_f32x4(xb));
    const c0 = f64x2.mul(q0, f64x2.promote_low_f32x4(xc));
    const d0 = f64x2.mul(q0, f64x2.promote_low_f32x4(xd));
    ab = f64x2.add(ab, v128.shuffle<f64>(a0, b0, 0, 2));
    cd = f64x2.add(cd, v128.shuffle<f64>(c0, d0, 0, 2));
    ab = f64x2.add(ab, v128.shuffle<f64>(a0, b0, 1, 3));
    cd = f64x2.add(cd, v128.shuffle<f64>(c0, d0, 1, 3));
    const q1 = f64x2.promote_low_f32x4(v128.shuffle<i64>(q, q, 1, 0));
    const a1 = f64x2.mul(q1, f64x2.promote_low_f32x4(v128.shuffle<i64>(xa, xa, 1, 0)));
    const b1 = f64x2.mul(q1, f64x2.promote_low_f32x4(v128.shuffle<i64>(xb, xb, 1, 0)));
    const c1 = f64x2.mul(q1, f64x2.promote_low_f32x4(v128.shuffle<i64>(xc, xc, 1, 0)));
    const d1 = f64x2.mul(q1, f64x2.promote_low_f32x4(v128.shuffle<i64>(xd, xd, 1, 0)));
    ab = f64x2.add(ab, v128.shuffle<f64>(a1, b1, 0, 2));
    cd = f64x2.add(cd, v128.shuffle<f64>(c1, d1, 0, 2));
    ab = f64x2.add(ab, v128.shuffle<f64>(a1, b1, 1, 3));
    cd = f64x2.add(cd, v128.shuffle<f64>(c1, d1, 1, 3));
  }
  let sa = f64x2.extract_lane(ab, 0);
  let sb = f64x2.extract_lane(ab, 1);
  let sc = f64x2.extract_lane(cd, 0);
  let sd = f64x2.extract_lane(cd, 1);
  for (; o < end; o += 4) {
    const q = f64(load<f32>(query + o));
    sa += q * f64(load<f32>(pa + o));
    sb += q * f64(load<f32>(pb + o));
    sc += q * f64(load<f32>(pc + o));
    sd += q * f64(load<f32>(pd + o));
  }
  store<f64>(out, a === 0 ? NaN : sa);
  store<f64>(out, b === 0 ? NaN : sb, 8);
  store<f64>(out, c === 0 ? NaN : sc, 16);
  store<f64>(out, d === 0 ? NaN : sd, 24);
}
