/** Negative numbers become 0 where that is wanted. */
export function relu(v: v128, on: bool): v128 {
  return on ? f32x4.max(v, f32x4.splat(0)) : v;
}
