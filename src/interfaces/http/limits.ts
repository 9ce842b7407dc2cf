/** Every limit of the server; one place, so that a limit can be found, doubted and changed. */
export const SERVER_LIMITS = {
  /** Bytes of a body of JSON. */
  jsonBytes: 8_388_608,
  /** Of what only reads: a question is short, and reading a long body out of JSON holds up everybody. */
  readBytes: 1_048_576,
  /** Of what is longer than a few lines: levels, arrays and objects in all (a full batch has half of them), members of one. */
  jsonDepth: 64,
  jsonContainers: 400_000,
  jsonKeys: 20_000,
  /** Bytes of a frame: picture, depth and the words about them. */
  frameBytes: 33_554_432,
  /** Characters of JSON in one answer to a search. */
  answerBytes: 33_554_432,
  headerBytes: 16_384,
  /** Sockets at once; a new one takes the place of one that asks for nothing. */
  connections: 1_024,
  /** Requests under way at once; more are told to come back. */
  requests: 256,
  /** Of these, by one caller. */
  requestsOfOne: 64,
  /** Bytes of bodies that are being read at once, and of one caller. */
  bodyBytesAtOnce: 268_435_456,
  bodyBytesOfOne: 67_108_864,
  /** Whoever asks for more than his share hears so after this. */
  refusalMs: 1_000,
  /** Questions, listings and ways at work at once, and of one caller; waiting, of one caller. */
  questions: 4,
  questionsOfOne: 2,
  waitingOfOne: 64,
  /** What one of them may cost: steps of expressions, and milliseconds of the thread. */
  questionUnits: 200_000,
  questionMs: 20_000,
  /** From the first byte of a request to its last. */
  requestMs: 30_000,
  headersMs: 10_000,
  /** From the whole request to the answer; streams are bounded by their own rules. */
  answerMs: 60_000,
  /** Streams of events that are open at once, and of one caller. */
  streams: 750,
  streamsOfOne: 250,
  /** A client that takes nothing for so long is cut off; one that hears nothing is greeted so often. */
  streamWriteMs: 15_000,
  streamBeatMs: 15_000,
  /** A stream ends after this, and its client comes back to where it was: nothing half dead lives longer. */
  streamMs: 3_600_000,
  /** An idle connection is kept for so long. */
  keepAliveMs: 15_000,
  /** How long a server that is told to end waits for what it began. */
  drainMs: 10_000,
  /** Conversations that are kept, and for how long after the last question. */
  conversations: 1_000,
  conversationMs: 3_600_000,
  conversationsOfOne: 250,
  /** For how long answers to writes with an Idempotency-Key are kept, and how many bytes of them, in all and of one caller. */
  keyMs: 86_400_000,
  keptBytes: 33_554_432,
  keptBytesOfOne: 4_194_304,
  /** A longer answer is not kept: its write is done again, which changes nothing. */
  keptAnswerChars: 262_144,
} as const;

export type ServerLimits = { readonly [K in keyof typeof SERVER_LIMITS]: number };
