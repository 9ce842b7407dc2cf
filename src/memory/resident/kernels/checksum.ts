// A checksum at memory speed: eight lanes of a multiply-add, folded at the end. It finds torn and damaged
// images, not forgeries.

/** Folds `bytes` (a multiple of 64) at `from` into the eight 64-bit sums at `state`. */
export function checksum(state: usize, from: usize, bytes: u32): void {
  let a = v128.load(state);
  let b = v128.load(state, 16);
  let c = v128.load(state, 32);
  let d = v128.load(state, 48);
  const end = from + bytes;
  for (let at = from; at < end; at += 64) {
    a = mix(a, v128.load(at));
    b = mix(b, v128.load(at, 16));
    c = mix(c, v128.load(at, 32));
    d = mix(d, v128.load(at, 48));
  }
  v128.store(state, a);
  v128.store(state, b, 16);
  v128.store(state, c, 32);
  v128.store(state, d, 48);
}

/** h ← rotl(h, 13) + low·high of the input with odd keys added: order and position both matter. */
function mix(h: v128, x: v128): v128 {
  const keyed = i32x4.add(x, i32x4.splat(0x9e3779b1));
  const product = i64x2.extmul_low_i32x4_u(
    v128.shuffle<i32>(keyed, keyed, 0, 2, 0, 2),
    v128.shuffle<i32>(keyed, keyed, 1, 3, 1, 3),
  );
  const turned = v128.or(i64x2.shl(h, 13), i64x2.shr_u(h, 51));
  return i64x2.add(i64x2.add(turned, product), x);
}
