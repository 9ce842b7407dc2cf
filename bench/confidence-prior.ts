/**
 * The table of 900 answers (the suites' `dev` wordings and people's questions of 20109–20120, those twice) by an earlier
 * version, whose rows cannot be made again: what a fit begins from, and stays near where it has few rows to say otherwise.
 */
export const PRIOR_WEIGHTS: Readonly<Record<string, number>> = {
  one: 0.987,
  p: 2.65,
  doubt: -0.103,
  unseen: -0.1,
  rivals: -0.372,
  "unlikely reading": -2.29,
  cost: -0.143,
  others: -0.742,
  passedOver: -0.1,
  mended: -0.863,
  broadened: -0.516,
  parts: -0.955,
  listed: -2.599,
  long: -2.709,
  refused: -0.523,
  "refused in doubt": -0.966,
};

/** Kinds of question that come out better or worse than the rest by themselves. */
export const PRIOR_BIAS: Readonly<Record<string, number>> = {
  attribute: 0.497,
  count: 0.308,
  direction: 0.229,
  distance: -0.028,
  exists: -0.044,
  insufficient: 0.182,
  is: 0.149,
  "looked-absent": 0.264,
  name: -0.715,
  "not-seen": -0.082,
  place: -0.258,
  route: -0.138,
  size: 0.164,
  when: -0.229,
};
