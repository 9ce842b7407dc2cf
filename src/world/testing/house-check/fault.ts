/** Something wrong with a house, found by looking at its solids only. */
export interface Fault {
  readonly code:
    | "interpenetrates"
    | "floats"
    | "falls-apart"
    | "exposed"
    | "not-inside"
    | "door-astray"
    | "cut-off"
    | "relation"
    | "record";
  readonly thing: string;
  readonly detail: string;
}
