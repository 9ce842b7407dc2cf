/**
 * Every threshold of tracking with its unit. The defaults are SPEC §9.1 and §10.5–10.8; `paper` is R⁴ to the
 * letter: one fixed radius, one similarity, and the adjudicator asked about every proposal.
 */
export interface TrackingSettings {
  /** Eq. 5's ε_c (A-R2): radiusPerDiagonal·(sum of diagonals) + 2σ, between least and most. */
  readonly leastRadiusM: number;
  readonly mostRadiusM: number;
  readonly radiusPerDiagonal: number;
  /** Set in `paper` mode: ε_c is this and nothing else. */
  readonly fixedRadiusM?: number | undefined;
  /** Eq. 5's δ_s, in deviations above the embedder's background (A-R3). */
  readonly leastZ: number;
  /** A-R4: at or above it the same thing, at or below `rejectScore` another, between them the adjudicator. */
  readonly acceptScore: number;
  readonly rejectScore: number;
  readonly alwaysAdjudicate: boolean;
  /** Weights of meaning, place and looks in the score. */
  readonly weights: { readonly meaning: number; readonly place: number; readonly looks: number };
  /** How far a mover's position may have gone since it was last seen. */
  readonly moverRadiusFactor: number;
  readonly moverSpeedMps: number;
  readonly moverGapUs: number;

  /** A new track is believed after so many looks, from two viewpoints or so long apart… */
  readonly confirmDetections: number;
  readonly confirmApartUs: number;
  /** …or so long apart where it showed well… */
  readonly confirmSoonUs: number;
  readonly confirmAngleRad: number;
  /** …or after this many whatever the viewpoint. */
  readonly confirmAnyway: number;
  /** Dropped when its place was in view for this long without another look at it. */
  readonly tentativeUs: number;
  readonly tentativesMost: number;

  /** Two seen rows of one state are at least this far apart; a gap longer than `sightingGapUs` is kept. */
  readonly sightingEveryUs: number;
  readonly sightingGapUs: number;
  /** A state is written again when its centre or a side moved by more than this. */
  readonly materialM: number;

  readonly presence: PresenceSettings;
  readonly moves: MoveSettings;

  /** A fluent changes after so many equal looks, or one this sure (§10.8). */
  readonly fluentDetections: number;
  readonly fluentSureP: number;
}

/** Negative evidence (§10.6). */
export interface PresenceSettings {
  readonly toleranceM: number;
  readonly marginShare: number;
  readonly rangeM: number;
  readonly leastPx: number;
  /** Share of the tested points that must be seen through, or agree in depth. */
  readonly absentShare: number;
  readonly presentShare: number;
  readonly frames: number;
  readonly spanUs: number;
  readonly angleRad: number;
  readonly framesFromOnePlace: number;
  /** How sure unreported things must be gone where depth cannot tell (natural log of odds). */
  readonly missedLogOdds: number;
}

/** Moved-object links (§10.7): the weights of its logistic and what is done with the answer. */
export interface MoveSettings {
  readonly acceptP: number;
  readonly maybeP: number;
  readonly windowUs: number;
  readonly rangeM: number;
  readonly meaning: number;
  readonly attributes: number;
  readonly unique: number;
  readonly time: number;
  readonly distance: number;
  readonly offset: number;
}

export const DEFAULT_SETTINGS: TrackingSettings = {
  leastRadiusM: 0.25,
  mostRadiusM: 2,
  radiusPerDiagonal: 0.25,
  leastZ: 2,
  acceptScore: 0.75,
  rejectScore: 0.45,
  alwaysAdjudicate: false,
  weights: { meaning: 0.5, place: 0.3, looks: 0.2 },
  moverRadiusFactor: 3,
  moverSpeedMps: 1.5,
  moverGapUs: 60_000_000,
  confirmDetections: 2,
  confirmApartUs: 3_000_000,
  confirmSoonUs: 400_000,
  confirmAngleRad: (10 * Math.PI) / 180,
  confirmAnyway: 3,
  tentativeUs: 30_000_000,
  tentativesMost: 4_096,
  sightingEveryUs: 1_000_000,
  sightingGapUs: 2_000_000,
  materialM: 0.05,
  presence: {
    toleranceM: 0.1,
    marginShare: 0.05,
    rangeM: 8,
    leastPx: 60,
    absentShare: 0.6,
    presentShare: 0.3,
    frames: 3,
    spanUs: 1_000_000,
    angleRad: (10 * Math.PI) / 180,
    framesFromOnePlace: 5,
    missedLogOdds: 7,
  },
  moves: {
    acceptP: 0.7,
    maybeP: 0.4,
    windowUs: 86_400_000_000,
    rangeM: 50,
    meaning: 0.5,
    attributes: 2,
    unique: 2.5,
    time: 0.3,
    distance: 1,
    offset: -3.5,
  },
  fluentDetections: 2,
  fluentSureP: 0.9,
};

/** R⁴ as printed (A-R): what it leaves open is taken from the defaults. */
export const PAPER_SETTINGS: TrackingSettings = {
  ...DEFAULT_SETTINGS,
  fixedRadiusM: 0.5,
  alwaysAdjudicate: true,
  weights: { meaning: 0.5, place: 0.5, looks: 0 },
  confirmDetections: 1,
  confirmAnyway: 1,
};
