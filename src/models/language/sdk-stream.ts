import { LociError } from "../../schema/index.ts";

/** The parts of an answer by the AI SDK's language model specification, version 4, that we use. */
export interface SdkAnswer {
  readonly content: readonly SdkContent[];
  readonly finishReason: { readonly unified: string };
  readonly usage: {
    readonly inputTokens: { readonly total: number | undefined };
    readonly outputTokens: { readonly total: number | undefined };
  };
}

export interface SdkContent {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: string;
}

/** A streamed part of an answer. */
export interface SdkPart extends SdkContent, Partial<Pick<SdkAnswer, "finishReason" | "usage">> {
  readonly delta?: string;
  readonly error?: unknown;
}

/** A failure that a retry may fix, in the form that the packages use. */
class CutStream extends Error {
  readonly isRetryable = true;
}

/** Reads a stream to its end; one without an end marker was truncated. */
export async function wholeOf(
  stream: AsyncIterable<SdkPart>,
  onText: (soFar: string) => void,
): Promise<SdkAnswer> {
  const content: SdkContent[] = [];
  let text = "";
  let end: SdkPart | undefined;
  try {
    for await (const part of stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "tool-call") content.push(part);
      if (part.type === "finish") end = part;
      if (part.type !== "text-delta" || !part.delta) continue;
      text += part.delta;
      onText(text);
    }
  } catch (error) {
    const limit = [error, (error as { cause?: unknown } | undefined)?.cause].find(
      (one) => one instanceof LociError,
    );
    if (limit !== undefined) throw limit;
    throw hasStatus(error) ? error : new CutStream("the stream was cut half-way", { cause: error });
  }
  // Packages report "other" for an end that the server did not announce.
  if (end?.finishReason === undefined || end.usage === undefined || end.finishReason.unified === "other")
    throw new CutStream("the stream was cut half-way");
  if (text !== "") content.unshift({ type: "text", text });
  return { content, finishReason: end.finishReason, usage: end.usage };
}

function hasStatus(error: unknown): boolean {
  return (error as { statusCode?: number } | undefined)?.statusCode !== undefined;
}

/** The response of a streaming server, up to the limit, at which the connection is closed. */
export function boundedStream(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): ReadableStream<Uint8Array> {
  let size = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size > maxBytes)
          throw new LociError("limit-exceeded", `expected at most ${maxBytes} bytes in an answer, got more`);
        controller.enqueue(chunk);
      },
    }),
  );
}
