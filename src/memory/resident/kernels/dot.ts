// Four int8 dot products at once. The query stays in registers' reach, four rows hide the latency of one.

/** i16 holds two products of bytes within ±127 (32,258), so one add is safe before widening. */
function step(query: v128, row: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_dot_i8x16_i7x16_add_s(row, query, sum);
  const pairs = i16x8.add(i16x8.extmul_low_i8x16_s(row, query), i16x8.extmul_high_i8x16_s(row, query));
  return i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(pairs));
}

/** The dot products of the query with four rows; `stride` is a multiple of 32 and zero-padded. */
export function dot4(query: usize, a: usize, b: usize, c: usize, d: usize, stride: u32): v128 {
  let sa = i32x4.splat(0);
  let sb = i32x4.splat(0);
  let sc = i32x4.splat(0);
  let sd = i32x4.splat(0);
  for (let o: u32 = 0; o < stride; o += 32) {
    const q0 = v128.load(query + o);
    sa = step(q0, v128.load(a + o), sa);
    sb = step(q0, v128.load(b + o), sb);
    sc = step(q0, v128.load(c + o), sc);
    sd = step(q0, v128.load(d + o), sd);
    const q1 = v128.load(query + o, 16);
    sa = step(q1, v128.load(a + o, 16), sa);
    sb = step(q1, v128.load(b + o, 16), sb);
    sc = step(q1, v128.load(c + o, 16), sc);
    sd = step(q1, v128.load(d + o, 16), sd);
  }
  const ab = i32x4.add(v128.shuffle<i32>(sa, sb, 0, 4, 2, 6), v128.shuffle<i32>(sa, sb, 1, 5, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(sc, sd, 0, 4, 2, 6), v128.shuffle<i32>(sc, sd, 1, 5, 3, 7));
  return i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3));
}

/** One row alone: for tests and remainders. */
export function dot1(query: usize, row: usize, stride: u32): i32 {
  let s0 = i32x4.splat(0);
  let s1 = i32x4.splat(0);
  for (let o: u32 = 0; o < stride; o += 32) {
    s0 = step(v128.load(query + o), v128.load(row + o), s0);
    s1 = step(v128.load(query + o, 16), v128.load(row + o, 16), s1);
  }
  const s = i32x4.add(s0, s1);
  return (
    i32x4.extract_lane(s, 0) + i32x4.extract_lane(s, 1) + i32x4.extract_lane(s, 2) + i32x4.extract_lane(s, 3)
  );
}
