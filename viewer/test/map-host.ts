/**
 * A host in a page, like a chat program, built from the SDK's own host side: the app in a sandboxed frame, the server
 * behind it.
 */
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

type Bridge = InstanceType<typeof AppBridge>;
type CallResult = Awaited<ReturnType<NonNullable<Bridge["oncalltool"]>>>;
type ReadResult = Awaited<ReturnType<NonNullable<Bridge["onreadresource"]>>>;

/** The real server, through the test's client. */
interface Server {
  serverCall(name: string, args: object): Promise<CallResult>;
  serverRead(uri: string): Promise<ReadResult>;
}

export interface MapHost {
  show(html: string, name: string, args: Record<string, unknown>): Promise<void>;
  theme(theme: "light" | "dark"): void;
}

const server = window as unknown as Server;
let bridge: Bridge;

const host: MapHost = {
  async show(html, name, args) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.style.cssText = "width: 720px; height: 520px; border: 0";
    document.body.replaceChildren(frame);
    bridge = new AppBridge(
      null,
      { name: "test host", version: "1" },
      { serverTools: {}, serverResources: {} },
      { hostContext: { theme: "light" } },
    );
    bridge.oncalltool = ({ name: called, arguments: given }) => server.serverCall(called, given ?? {});
    bridge.onreadresource = ({ uri }) => server.serverRead(uri);
    const ready = new Promise<void>((done) => {
      bridge.oninitialized = () => done();
    });
    await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
    frame.srcdoc = html;
    await ready;
    await bridge.sendToolInput({ arguments: args });
    await bridge.sendToolResult(await server.serverCall(name, args));
  },
  theme: (theme) => bridge.setHostContext({ theme }),
};
Object.assign(window, { mapHost: host });
