/**
 * Natural log of odds a unit of each feature of fold.ts. Source: fit, over 5057 pairs of houses 44001-44030, by
 * `node bench/join/fit-fold.ts --cache DIR --minutes 2 --seeds 44001-44030`.
 */
export const FOLD_WEIGHTS: Readonly<Record<string, number>> = {
  always: -1.76,
  sameKind: 3.33,
  agree: 2.51,
  conflict: -4.16,
  overlap: 2.49,
  overlapOfKind: 1.99,
  shared: 0.87,
  sharedOfKind: 1.5,
  gap: -1.39,
  away: -3.84,
  awayOfSize: -1.48,
  likeSize: -0.56,
  large: 0.66,
  looks: -0.92,
  others: -2.06,
  rival: -0.41,
  rivalTogether: -3.48,
  rivalGap: -1.24,
  rivalBeyond: 0.64,
  rivalLooks: -0.39,
};
