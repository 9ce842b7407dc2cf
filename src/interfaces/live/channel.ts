import type { LiveOptions } from "../../compose.ts";

type Told = Parameters<LiveOptions["onTold"]>[0];

/** The announcement of a channel to viewers. */
export interface Advertised {
  readonly id: number;
  readonly topic: string;
  readonly encoding: "json";
  readonly schemaName: string;
  readonly schemaEncoding: "jsonschema";
  readonly schema: string;
}

/** A memory may have any number of cameras; at most this many topics are advertised. */
const MAX_CHANNELS = 1_024;
/** Of events every one counts; of all else the last. */
const EVENTS_KEPT = 100;

/** All topics, in the order in which they were first advertised. */
export class Channels {
  readonly byId = new Map<number, Channel>();
  readonly #byTopic = new Map<string, Channel>();
  readonly #schemas: Readonly<Record<string, object>>;

  constructor(schemas: Readonly<Record<string, object>>) {
    this.#schemas = schemas;
  }

  /** Keeps a message; returns its channel if that is new. */
  put(told: Told): Channel | undefined {
    const known = this.#byTopic.get(told.topic);
    if (known === undefined && this.byId.size >= MAX_CHANNELS) return undefined;
    const channel = known ?? this.#open(told);
    channel.put(told);
    return known === undefined ? channel : undefined;
  }

  clear(topic: string): void {
    this.#byTopic.get(topic)?.clear();
  }

  #open({ topic, schema }: Told): Channel {
    const advertised: Advertised = {
      id: this.byId.size + 1,
      topic,
      encoding: "json",
      schemaName: schema,
      schemaEncoding: "jsonschema",
      schema: JSON.stringify(this.#schemas[schema]),
    };
    const channel = new Channel(advertised, schema === "foxglove.Log" ? EVENTS_KEPT : 1);
    this.byId.set(advertised.id, channel);
    this.#byTopic.set(topic, channel);
    return channel;
  }
}

/** One topic: its last messages, numbered, so that a viewer needs a number of its own and not a queue. */
export class Channel {
  readonly advertised: Advertised;
  readonly #keeps: number;
  #kept: { readonly timeUs: number; readonly payload: Buffer }[] = [];
  #next = 0;

  constructor(advertised: Advertised, keeps: number) {
    this.advertised = advertised;
    this.#keeps = keeps;
  }

  put({ timeUs, json }: Told): void {
    this.#kept.push({ timeUs, payload: Buffer.from(json) });
    this.#next++;
    if (this.#kept.length > this.#keeps) this.#kept.shift();
  }

  /** Clears sent messages: they must reach neither later clients nor those that have not received them yet. */
  clear(): void {
    this.#kept = [];
  }

  /** The message of a number, or the oldest that is kept after it, with the number of the next. */
  after(number: number): { timeUs: number; payload: Buffer; next: number } | undefined {
    const first = this.#next - this.#kept.length;
    const at = Math.max(number, first);
    const kept = this.#kept[at - first];
    return kept && { ...kept, next: at + 1 };
  }
}
