/** Every limit of the server; one place, so that a limit can be found, doubted and changed. */
export const SERVER_LIMITS = {
  /** Bytes of a body of JSON. */
  jsonBytes: 8_388_608,
  /** Bytes of a frame: picture, depth and the words about them. */
  frameBytes: 33_554_432,
  /** Characters of JSON in one answer to a search. */
  answerBytes: 33_554_432,
  headerBytes: 16_384,
  /** Sockets at once; more are refused by the listener. */
  connections: 1_024,
  /** Requests under way at once; more are told to come back. */
  requests: 256,
  /** Of these, by one caller. */
  requestsOfOne: 128,
  /** Bytes of bodies that are being read at once. */
  bodyBytesAtOnce: 268_435_456,
  /** From the first byte of a request to its last. */
  requestMs: 30_000,
  headersMs: 10_000,
  /** From the whole request to the answer; streams are bounded by their own rules. */
  answerMs: 60_000,
  /** Streams of events that are open at once, and of one caller. */
  streams: 1_000,
  streamsOfOne: 600,
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
  /** Idempotency keys that are remembered, and for how long. */
  keys: 100_000,
  keyMs: 86_400_000,
} as const;

export type ServerLimits = { readonly [K in keyof typeof SERVER_LIMITS]: number };
