/** The data that the map draws beside the answer. It is a separate request and not a tool, so models never see it. */
export interface FloorPlan {
  readonly rooms: readonly {
    readonly id: string;
    readonly name: string;
    readonly z: number;
    readonly outline: readonly (readonly [x: number, y: number])[];
  }[];
  /** Where the last look was taken from. */
  readonly robot?: { readonly x: number; readonly y: number; readonly z: number };
}
