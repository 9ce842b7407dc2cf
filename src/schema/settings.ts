/**
 * The source of a number: a sensor's datasheet, a paper and what follows from it, an experiment on simulated houses,
 * recordings of real rooms, or a bound on memory, time and size.
 */
type Source = "datasheet" | "paper" | "experiment" | "recording" | "limit";

/** Value, unit, sensible range, and source. */
export type Setting = readonly [value: number, unit: string, min: number, max: number, source: Source];

type Values<T extends Readonly<Record<string, Setting>>> = { readonly [K in keyof T]: number };

/** Every table by its stage, for sweeps. The values are those in use. */
export const TABLES = new Map<
  string,
  { readonly table: Readonly<Record<string, Setting>>; readonly values: Record<string, number> }
>();

/** The numbers of one stage, read by name. Derived numbers are getters, so that they follow in a sweep. */
export function settings<const T extends Readonly<Record<string, Setting>>, D extends object = object>(
  stage: string,
  table: T,
  derive?: (values: Values<T>) => D,
): Values<T> & Readonly<D> {
  const values = Object.fromEntries(Object.entries(table).map(([name, [value]]) => [name, value]));
  TABLES.set(stage, { table, values });
  if (derive) Object.defineProperties(values, Object.getOwnPropertyDescriptors(derive(values as Values<T>)));
  return values as Values<T> & Readonly<D>;
}
