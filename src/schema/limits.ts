/** Every limit in one place, so that it can be found, questioned and changed. */
export const LIMITS = {
  idChars: 64,
  labelChars: 64,
  labelsPerRecord: 16,
  nameChars: 256,
  lineChars: 16_384,
  linesPerRecord: 256,
  refsPerRecord: 4_096,
  attributesPerState: 64,
  maybes: 4,
  bodyBytes: 1_048_576,
  blobBytes: 67_108_864,
  recordsPerBatch: 10_000,
  sightingsPerBatch: 100_000,
  hitsPerSearch: 10_000,
  searchesPerCall: 1_024,
  queryChars: 16_384,
  polygonPoints: 4_096,
  vectorDim: 8_192,
  jsonDepth: 32,
  /** Metres; a larger coordinate is a unit mistake, not a place (Earth's radius is 6.4e6). */
  coordinateM: 1e8,
  /** The year 2255 and its mirror before 1970: the range of microseconds that a double holds exactly. */
  timeUs: Number.MAX_SAFE_INTEGER,
} as const;
