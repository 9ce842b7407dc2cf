import { signal } from "@preact/signals";

/** A server error, with its stable code; `status` 0: the server could not be reached. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

const TOKEN_KEY = "loci-token";

/** Kept for this tab only: the next user has to enter a token again. */
export const token = signal<string | null>(sessionStorage.getItem(TOKEN_KEY));

export function setToken(given: string | null): void {
  token.value = given;
  if (given === null) sessionStorage.removeItem(TOKEN_KEY);
  else sessionStorage.setItem(TOKEN_KEY, given);
}

interface CallOptions {
  readonly body?: unknown;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request to the server of this page; anything but success (or "not modified") is thrown as a problem. */
export async function call(path: string, options: CallOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { ...options.headers };
  if (token.value !== null) headers["authorization"] = `Bearer ${token.value}`;
  if (options.accept !== undefined) headers["accept"] = options.accept;
  if (options.body !== undefined) headers["content-type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(new URL(path, document.baseURI), {
      method: options.body === undefined ? "GET" : "POST",
      headers,
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      ...(options.signal && { signal: options.signal }),
    });
  } catch (cause) {
    if ((cause as Error).name === "AbortError") throw cause;
    throw new ApiProblem(0, "unreachable", "The server cannot be reached.");
  }
  if (response.ok || response.status === 304) return response;
  const said = (await response.json().catch(() => ({}))) as { code?: string; detail?: string };
  throw new ApiProblem(response.status, said.code ?? "unknown", said.detail ?? response.statusText);
}

export async function getJson<T>(path: string, options?: CallOptions): Promise<T> {
  return (await (await call(path, options)).json()) as T;
}

export function postJson<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return getJson<T>(path, { body, signal });
}

export async function getBytes(path: string, signal?: AbortSignal): Promise<Uint8Array> {
  return new Uint8Array(await (await call(path, { signal })).arrayBuffer());
}

/** Server-sent events of a response, in order. EventSource cannot send a token, so this is done by hand. */
export async function* eventsOf(
  response: Response,
): AsyncGenerator<{ event: string; data: string; id: string }> {
  const reader = response
    .body!.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += value;
      const parts = rest.split(/\r?\n\r?\n/);
      rest = parts.pop()!;
      for (const part of parts) {
        const field = (name: string) =>
          part
            .split(/\r?\n/)
            .filter((line) => line.startsWith(`${name}:`))
            .map((line) => line.slice(name.length + 1).replace(/^ /, ""))
            .join("\n");
        if (part.includes("data:"))
          yield { event: field("event") || "message", data: field("data"), id: field("id") };
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

const pictures = new Map<string, Promise<string>>();
const MOST_PICTURES = 300;

/** A picture as a URL for <img>; fetched by hand because of the token, cached because it never changes. */
export function pictureUrl(path: string): Promise<string> {
  let held = pictures.get(path);
  if (held === undefined) {
    held = call(path)
      .then((response) => response.blob())
      .then((blob) => URL.createObjectURL(blob));
    held.catch(() => pictures.delete(path));
    pictures.set(path, held);
    if (pictures.size > MOST_PICTURES) {
      const [oldest, url] = pictures.entries().next().value!;
      pictures.delete(oldest);
      void url.then(URL.revokeObjectURL, () => {});
    }
  }
  return held;
}
