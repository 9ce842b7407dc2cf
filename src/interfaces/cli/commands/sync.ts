import { type Peer, type SyncReport, syncMemories } from "../../../compose.ts";
import { LociError } from "../../../schema/core.ts";
import { offText } from "../clock-text.ts";
import type { MemoryOptions } from "../open.ts";
import { openPlace, serverPeer } from "../sync-place.ts";
import { countOf, type Terminal } from "../terminal.ts";

/** A larger clock offset is reported. */
const OFF_US = 1_000_000;

export interface SyncCommandOptions extends MemoryOptions {
  readonly push?: boolean;
  readonly pull?: boolean;
  readonly forgetShare?: number;
}

export async function run(options: SyncCommandOptions, terminal: Terminal, remote: string): Promise<void> {
  const only = options.push !== options.pull;
  const [push, pull] = only ? [options.push === true, options.pull === true] : [true, true];
  const there = await openRemote(remote, push, options, terminal);
  try {
    // A robot without a memory may still pull what others know.
    const here = await openPlace(options.memory, pull, options, terminal);
    try {
      const report = await syncMemories(here, there, {
        push,
        pull,
        // A folder or a database that can be opened here is the same owner's.
        isOwn: !isServer(remote),
        forgetShare: options.forgetShare,
        signal: terminal.signal,
        onProgress: ({ direction, taken, bytes }) =>
          terminal.progress(`${direction} ${countOf(taken, "write")}, ${megabytes(bytes)}`),
      });
      for (const note of notesOf(report, there.name, pull)) terminal.note(note);
      terminal.result(report, () => wordsOf(report, there.name));
    } finally {
      await here.close();
    }
  } finally {
    await there.close();
  }
}

function isServer(remote: string): boolean {
  return /^https?:\/\//.test(remote);
}

/** What was not done, with advice. */
function notesOf(
  { pushed, pulled, untold, kept, unrelayed }: SyncReport,
  name: string,
  pull: boolean,
): string[] {
  const aside = (where: string, { refused, reasons }: SyncReport["pushed"]) =>
    refused === 0
      ? []
      : [`${countOf(refused, "row")} set aside ${where} (sync/aside there): ${reasons.join("; ")}`];
  const agree = "take that over with --forget-share 1";
  return [
    ...aside(`at ${name}`, pushed),
    ...aside("here", pulled),
    ...(untold > 0
      ? [
          `${countOf(untold, "forgetting")} not told to ${name}: that needs a token with the scope "admin", or is a large part of what it has: ${agree}`,
        ]
      : []),
    ...(kept > 0 && pull
      ? [
          `${name} has forgotten ${countOf(kept, "record")} that are here: a large part, so they stay; ${agree}`,
        ]
      : []),
    ...(kept > 0 && !pull
      ? [`${countOf(kept, "forgetting")} of ${name} not taken over here: that is done by --pull`]
      : []),
    ...(unrelayed > 0
      ? [
          `what ${countOf(unrelayed, "other memory")} wrote is not passed on to ${name}: that needs a token made with --relay`,
        ]
      : []),
  ];
}

async function openRemote(
  remote: string,
  push: boolean,
  options: SyncCommandOptions,
  terminal: Terminal,
): Promise<Peer> {
  if (isServer(remote)) return serverPeer(remote, process.env["LOCI_TOKEN"]);
  if (/^\w+:\/\//.test(remote) && !remote.startsWith("postgres"))
    throw new LociError(
      "invalid-input",
      `sync knows folders, http://, https:// and postgres:// memories, got "${remote.slice(0, 64)}"`,
    );
  return openPlace(remote, push, options, terminal);
}

function wordsOf(
  { pushed, pulled, forgottenHere, forgottenThere, maps, clock }: SyncReport,
  name: string,
): string {
  const line = (verb: string, { taken, records, sightings, older, forgotten, bytes }: SyncReport["pushed"]) =>
    [
      `${verb} ${countOf(taken, "write")} (${countOf(records, "record")}, ${countOf(sightings, "sighting")}, ${megabytes(bytes)})`,
      ...(older > 0 ? [`${older} of which something later was known`] : []),
      ...(forgotten > 0 ? [`${forgotten} forgotten before`] : []),
    ].join("; ");
  const joins = [
    { where: name, ...maps.there },
    { where: "here", ...maps.here },
  ].flatMap(({ where, joined, apart }) => [
    ...(joined > 0 ? [`${countOf(joined, "map")} joined ${where === "here" ? where : `at ${where}`}`] : []),
    ...(apart > 0 ? [`${countOf(apart, "map")} not joined ${where === "here" ? where : `at ${where}`}`] : []),
  ]);
  const gone =
    forgottenHere + forgottenThere > 0
      ? [`forgot ${forgottenHere} here and ${forgottenThere} at ${name} that the other had forgotten`]
      : [];
  const clocks =
    clock && Math.abs(clock.aheadUs) > OFF_US
      ? [`the clock of ${name} is ${offText(clock.aheadUs)} this one`]
      : [];
  const both = [line(`sent to ${name}:`, pushed), line(`got from ${name}:`, pulled)];
  return [...both, ...gone, ...joins, ...clocks].join("\n");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
