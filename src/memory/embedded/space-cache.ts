import type { EmbedderInfo } from "../../schema/core.ts";
import type { Calibration, VectorSpace } from "../port.ts";
import type { VectorSpaces } from "../rows/scan.ts";
import type { Connection } from "../sqlite/connection.ts";

/** Embedders and calibrations, read once for each state of the settings instead of once for each search. */
export class SpaceCache implements VectorSpaces {
  readonly #connection: Connection;
  readonly #embedders = new Map<VectorSpace, EmbedderInfo | null>();
  readonly #calibrations = new Map<VectorSpace, Calibration | null>();
  #settings = -1;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  at(settings: number): void {
    if (settings === this.#settings) return;
    this.#settings = settings;
    this.#embedders.clear();
    this.#calibrations.clear();
    this.#connection.refreshNames();
  }

  embedder(space: VectorSpace): EmbedderInfo | null {
    return remembered(this.#embedders, space, () => this.#connection.embedder(space));
  }

  calibration(space: VectorSpace): Calibration | null {
    return remembered(this.#calibrations, space, () => this.#connection.calibration(space));
  }
}

function remembered<K, V>(map: Map<K, V>, key: K, read: () => V): V {
  if (map.has(key)) return map.get(key) as V;
  const value = read();
  map.set(key, value);
  return value;
}
