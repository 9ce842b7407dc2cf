import { basename } from "node:path";
import { openReplay } from "../../../compose.ts";
import { isLoopback } from "../../live/loopback.ts";
import { startReplay } from "../../live/replay-server.ts";
import { countOf, type Terminal } from "../terminal.ts";

export interface ReplayCommandOptions {
  readonly json?: boolean;
  readonly port: number;
  readonly host: string;
  readonly speed: number;
  readonly loop?: boolean;
  readonly wait?: boolean;
}

/** Plays a recording to viewers and listeners until it ends, or until it is stopped. */
export async function run(options: ReplayCommandOptions, terminal: Terminal, file: string): Promise<void> {
  const replay = await openReplay(file);
  try {
    const { host, port, speed, loop = false, wait = false } = options;
    const name = `loci replay ${basename(file)}`;
    const running = await startReplay(replay, {
      host,
      port,
      speed,
      loop,
      wait,
      name,
      signal: terminal.signal,
    });
    if (!isLoopback(host)) terminal.note(`Everybody who reaches ${host} can watch this recording.`);
    const address = running.url.replace(/^ws:/, "foxglove:");
    const seconds = (replay.endUs - replay.startUs) / 1e6;
    terminal.line(
      { url: running.url, source: address, topics: replay.channels.length, seconds },
      () =>
        `replays ${countOf(replay.channels.length, "topic")}, ${seconds.toFixed(1)} s at ${speed}×, at ${address}${wait ? "; waits for a subscription" : ""}`,
    );
    const summary = await running.done;
    const { messages, sent, dropped, viewers } = summary;
    terminal.line(
      summary,
      () =>
        `${countOf(messages, "message")} played, ${sent} sent to ${countOf(viewers, "viewer")}, ${dropped} dropped for slow ones`,
    );
  } finally {
    await replay.close();
  }
}
