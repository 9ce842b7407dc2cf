import type { ErrorCode } from "../src/schema/index.ts";

/** What usually brings an error about, and what to do: the table of docs/troubleshooting.md. A new code does not compile without. */
export const ERROR_HELP: Readonly<Record<ErrorCode, { readonly cause: string; readonly remedy: string }>> = {
  "invalid-input": {
    cause: "A value breaks the schema or a limit; an option, a field or a file is not what was expected.",
    remedy: "The message names the field and what was expected. Sending it again unchanged is of no use.",
  },
  "unknown-id": {
    cause:
      "No such record, blob, watch or route, or one that this reader may not see: the two look the same.",
    remedy:
      "Take ids from a search or an answer; look whether the token holds the labels (`loci token list`).",
  },
  "version-conflict": {
    cause: "Somebody else wrote the record since it was read (`expectVersion`).",
    remedy: "Read it again and decide anew.",
  },
  "embedder-mismatch": {
    cause: "The memory was made with another embedder than the one that is asked for.",
    remedy: "Open it without `--embedder`, or move it: `loci reembed --to CHOICE`.",
  },
  "memory-not-found": {
    cause: "There is no memory in this folder, or it is one of another scene.",
    remedy: "Give `--memory DIR`, or make one: `loci ingest`, `remember` and `serve` do.",
  },
  "memory-exists": {
    cause: "`import`, `backup` or `simulate` would write over something that is there.",
    remedy: "Name a folder that is not there yet.",
  },
  "memory-busy": {
    cause: "Another process holds the one writer of this memory: `serve`, `mcp`, `ingest`.",
    remedy:
      "Go through that server (`ingest`, `retain`, `remember` do so by themselves), or wait until it is done. Reading never waits.",
  },
  "memory-read-only": {
    cause: "A write to a memory that was opened for reading, or into a folder that may not be written.",
    remedy: "Open it without `readOnly`; look at the owner and the rights of the folder.",
  },
  "memory-corrupt": {
    cause: "A file is cut off, foreign or damaged.",
    remedy: "`loci verify --repair` makes again what can be made again; else take the last backup.",
  },
  "memory-newer": {
    cause: "A newer Loci wrote this memory.",
    remedy: "Use that version. There is no way back but an older backup.",
  },
  "memory-full": {
    cause: "The disk is full. Nothing of this batch was written.",
    remedy: "Make room, or `loci retain --max-bytes N`; then send it again.",
  },
  "memory-closed": {
    cause: "A call after `close()`, or while the server ends.",
    remedy: "Open the memory again; a client comes back when the server is there again.",
  },
  "model-unavailable": {
    cause: "Weights, an optional package or a model's address are missing.",
    remedy: "The message says which and how to install it. [Models](models.md).",
  },
  "source-unavailable": {
    cause: "A robot (rosbridge), or a service that a recording needs, does not answer.",
    remedy: "Look at address and port; for ROS: does `rosbridge_websocket` run?",
  },
  "model-failed": {
    cause: "A model answered with an error, or with something that is not usable after one repair.",
    remedy: "Try again, another model, or `ask --or-rules`, which answers without one.",
  },
  "limit-exceeded": {
    cause: "Too large: a body, a picture, a batch, a file.",
    remedy: "Send less at once. The limits: [server](server.md#limits-srcinterfaceshttplimitsts).",
  },
  "access-denied": {
    cause: "No token, a wrong one, one without the scope; a Host or Origin that was not allowed.",
    remedy: "`Authorization: Bearer loci_…`; `loci token add`; `serve --allow-host`, `--allow-origin`.",
  },
  overloaded: {
    cause: "More is waiting than can be taken on.",
    remedy: "Wait for `Retry-After` seconds and send the same again, with the same key: it is stored once.",
  },
  "not-supported": {
    cause: "This engine, format or memory cannot do that.",
    remedy: "The message says what can.",
  },
  aborted: {
    cause: "The caller's signal, the end of the server, or a limit of time.",
    remedy: "Ask again; what had been acknowledged is there.",
  },
};
