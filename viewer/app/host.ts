import type {
  McpUiHostContext,
  McpUiInitializeRequest,
  McpUiInitializeResult,
} from "@modelcontextprotocol/ext-apps";

/** The parts of a tool's result that the map reads. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

export interface HostEvents {
  onContext(context: McpUiHostContext): void;
  onInput(args: Readonly<Record<string, unknown>>): void;
  onResult(result: ToolResult): void;
}

interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const PROTOCOL = "2026-01-26";

/**
 * The host around the page, by the messages of MCP Apps. The few that a map needs are implemented here: the SDK's App
 * with its schemas is forty times the size of this page. The tests use the SDK's own host side.
 */
export class Host {
  #asked = new Map<number, { done(result: unknown): void; fail(error: Error): void }>();
  #next = 1;
  readonly #events: HostEvents;

  constructor(events: HostEvents) {
    this.#events = events;
    window.addEventListener("message", (event: MessageEvent<Message>) => {
      if (event.source === window.parent && event.data?.jsonrpc === "2.0") this.#take(event.data);
    });
  }

  async connect(): Promise<void> {
    const params: McpUiInitializeRequest["params"] = {
      appInfo: { name: "loci-map", version: "1" },
      appCapabilities: {},
      protocolVersion: PROTOCOL,
    };
    const { hostContext } = (await this.#ask("ui/initialize", params)) as McpUiInitializeResult;
    this.#events.onContext(hostContext ?? {});
    this.#tell("ui/notifications/initialized", {});
    const page = document.documentElement;
    new ResizeObserver(() =>
      this.#tell("ui/notifications/size-changed", { height: Math.ceil(page.getBoundingClientRect().height) }),
    ).observe(page);
  }

  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    return this.#ask("tools/call", { name, arguments: args }) as Promise<ToolResult>;
  }

  async readText(uri: string): Promise<string> {
    const read = await this.#ask("resources/read", { uri });
    return (read as { contents: { text: string }[] }).contents[0]!.text;
  }

  #take({ id, method, params = {}, result, error }: Message): void {
    if (method === undefined) {
      const waiting = this.#asked.get(Number(id));
      this.#asked.delete(Number(id));
      if (error) waiting?.fail(new Error(error.message));
      else waiting?.done(result);
    } else if (id !== undefined) {
      // Pings, and the end of the page: there is nothing to save.
      const known = method === "ping" || method === "ui/resource-teardown";
      this.#send(known ? { id, result: {} } : { id, error: { code: -32601, message: "unknown method" } });
    } else if (method === "ui/notifications/tool-input")
      this.#events.onInput((params["arguments"] ?? {}) as Readonly<Record<string, unknown>>);
    else if (method === "ui/notifications/tool-result") this.#events.onResult(params as ToolResult);
    else if (method === "ui/notifications/host-context-changed")
      this.#events.onContext(params as McpUiHostContext);
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = this.#next++;
    return new Promise((done, fail) => {
      this.#asked.set(id, { done, fail });
      this.#send({ id, method, params });
    });
  }

  #tell(method: string, params: object): void {
    this.#send({ method, params });
  }

  #send(message: object): void {
    // The parent's origin is unknown; everything sent came from the host.
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }
}
