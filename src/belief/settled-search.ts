import type { Interval } from "../geometry/index.ts";
import type { Hit, SearchRequest } from "../memory/index.ts";
import type { EventRecord } from "./happening.ts";
import { MemorySearch } from "./memory-search.ts";
import { endedIn, missedStays, withDepartures } from "./missed.ts";
import { SEARCH } from "./settings/search.ts";
import { type Transfers, transfersIn } from "./transfers.ts";

/** The searches of a belief, with stays and moves as believed: boxes that were carried while no robot looked are known again, and what other robots did not see any more is gone. */
export class SettledSearch extends MemorySearch {
  #transfers: Promise<Transfers> | undefined;

  /** The boxes that were carried elsewhere, by the records as they were written. */
  protected transfers(): Promise<Transfers> {
    this.#transfers ??= transfersIn(this);
    return this.#transfers;
  }

  /** The stays that other robots' pictures show to have ended, read once for a question. */
  protected missed(): ReturnType<typeof missedStays> {
    return this.once("missed stays", () => missedStays(this));
  }

  override async search(request: SearchRequest): Promise<Hit[]> {
    return this.#settled(request, await super.search(request));
  }

  override async searchKept(request: SearchRequest): Promise<Hit[]> {
    return this.#settled(request, await super.searchKept(request));
  }

  async #settled(request: SearchRequest, hits: Hit[]): Promise<Hit[]> {
    if (!hits.some(({ record }) => record.kind === "state")) return hits;
    const settled = (await this.transfers()).applied(hits, request);
    return endedIn(settled, request, await this.missed());
  }

  /** What happened in a span, earliest first; read once for a question. */
  async events(types: readonly string[], during: Interval, agentId?: string): Promise<EventRecord[]> {
    const request: SearchRequest = {
      kinds: ["event"],
      where: { category: [...types], ...(agentId !== undefined && { author: [agentId] }) },
      time: { overlaps: during },
      rank: "earliest",
      limit: SEARCH.mostEvents,
    };
    const hits = await this.once(JSON.stringify(request), () => this.search(request));
    const recorded = hits.map(({ record }) => record as EventRecord);
    const isOfLeaving = types.includes("disappear") && agentId === undefined;
    const events = isOfLeaving ? withDepartures(recorded, await this.missed(), during) : recorded;
    if (!types.includes("move")) return events;
    const moves = (await this.transfers()).moves.filter(
      ({ author, validFromUs, validToUs }) =>
        (agentId === undefined || author === agentId) &&
        (during.toUs === null || validFromUs < during.toUs) &&
        (validToUs ?? validFromUs + 1) > during.fromUs,
    );
    return moves.length === 0 ? events : [...events, ...moves].sort((a, b) => a.validFromUs - b.validFromUs);
  }
}
