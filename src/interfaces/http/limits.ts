/** Every limit of the server; one place, so that a limit can be found, doubted and changed. */
export const SERVER_LIMITS = {
  /** Bytes of a body of JSON. */
  jsonBytes: 8_388_608,
  /** Limit for routes that only read: a question is short, and parsing long JSON blocks every caller. */
  readBytes: 1_048_576,
  /**
   * For bodies longer than a few lines: nesting levels, arrays and objects in all (a full batch has half of them),
   * members of one.
   */
  jsonDepth: 64,
  jsonContainers: 400_000,
  /** For requests that only read: the longest list of ids or the largest expression has fewer. */
  readContainers: 20_000,
  jsonKeys: 20_000,
  /** Bytes of a frame: picture, depth and the words about them. */
  frameBytes: 33_554_432,
  /** Characters of JSON in one answer to a search. */
  answerBytes: 33_554_432,
  headerBytes: 16_384,
  /** Sockets at once; a new one replaces an idle one. */
  connections: 1_024,
  /** Requests in progress at once; more are told to retry. */
  requests: 256,
  /** Of these, by one caller. */
  requestsOfOne: 64,
  /** Bytes of bodies that are being read at once, and of one caller. */
  bodyBytesAtOnce: 268_435_456,
  bodyBytesOfOne: 67_108_864,
  /** Long bodies of one caller that are read at once; the others wait in their sockets. */
  longBodiesOfOne: 4,
  /** A caller beyond its share is refused after this, and up to twice as long. */
  refusalMs: 1_000,
  /** Searches of one caller at once; the next ones wait for a round of the event loop. */
  searchesOfOne: 8,
  /** Questions, listings and ways at work at once, and of one caller; waiting, of one caller. */
  questions: 4,
  questionsOfOne: 2,
  waitingOfOne: 64,
  /** The cost limits of one question: steps of expressions, and milliseconds of the thread. */
  questionUnits: 200_000,
  questionMs: 20_000,
  /** From the first byte of a request to its last. */
  requestMs: 30_000,
  headersMs: 10_000,
  /** From the complete request to the answer; streams have limits of their own. */
  answerMs: 60_000,
  /** Streams of events that are open at once, and of one caller. */
  streams: 750,
  streamsOfOne: 250,
  /** A client that reads nothing for this long is disconnected; a silent stream sends a heartbeat this often. */
  streamWriteMs: 15_000,
  streamBeatMs: 15_000,
  /** A stream ends after this, and its client resumes where it was: no half-open stream lives longer. */
  streamMs: 3_600_000,
  /** An idle connection is kept for so long. */
  keepAliveMs: 15_000,
  /** How long a stopping server waits for work in progress; the process ends 8 s after the signal in any case. */
  drainMs: 4_000,
  /** Conversations that are kept, and for how long after the last question. */
  conversations: 1_000,
  conversationMs: 3_600_000,
  conversationsOfOne: 250,
  /** For how long answers to writes with an Idempotency-Key are kept, and how many bytes of them, in all and of one caller. */
  keyMs: 86_400_000,
  keptBytes: 33_554_432,
  keptBytesOfOne: 4_194_304,
  /** A longer answer is not kept: a repeat writes again, which changes nothing. */
  keptAnswerChars: 262_144,
} as const;

export type ServerLimits = { readonly [K in keyof typeof SERVER_LIMITS]: number };
