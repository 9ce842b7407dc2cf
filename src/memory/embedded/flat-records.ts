/**
 * Records on their way between threads, taken apart: the shapes that occur, each once, and all values in one list.
 * Cloning a list of plain values costs a third of cloning as many small objects. `parts` holds, record by record, the
 * number of its shape and then its values in the order of the shape; a list is its length and then its items.
 */
export interface FlatRecords {
  readonly shapes: readonly Shape[];
  readonly parts: readonly unknown[];
}

/** A plain value, a list of plain values, or an object by its keys in their order. */
type Shape = "value" | "list" | { readonly keys: readonly string[]; readonly fields: readonly Shape[] };

/** More kinds of records than this in one batch, and taking apart no longer pays. */
const MAX_SHAPES = 32;
/** Records are flat; deeper or cyclic values are left to cloning. */
const MAX_DEPTH = 6;

/**
 * Undefined if some record holds anything but plain values, lists of them and plain objects; cloning handles the rest.
 */
export function flatten(records: readonly unknown[]): FlatRecords | undefined {
  const shapes: Shape[] = [];
  const parts: unknown[] = [];
  let last = 0;
  for (const record of records) {
    const start = parts.length;
    parts.push(last);
    if (last < shapes.length && put(shapes[last]!, record, parts)) continue;
    let found = -1;
    for (let i = 0; i < shapes.length && found < 0; i++) {
      parts.length = start + 1;
      if (put(shapes[i]!, record, parts)) found = i;
    }
    if (found < 0) {
      const shape = shapeOf(record, MAX_DEPTH);
      if (shape === undefined || typeof shape === "string" || shapes.length >= MAX_SHAPES) return undefined;
      parts.length = start + 1;
      found = shapes.push(shape) - 1;
      if (!put(shape, record, parts)) return undefined;
    }
    parts[start] = found;
    last = found;
  }
  return { shapes, parts };
}

/** The records again, each an object of its own. */
export function rebuild({ shapes, parts }: FlatRecords): unknown[] {
  const records: unknown[] = [];
  for (let at = 0; at < parts.length; ) {
    const shape = shapes[parts[at] as number]!;
    const record: Taken = { value: undefined, next: at + 1 };
    take(shape, parts, record);
    records.push(record.value);
    at = record.next;
  }
  return records;
}

interface Taken {
  value: unknown;
  next: number;
}

function take(shape: Shape, parts: readonly unknown[], into: Taken): void {
  if (shape === "value") {
    into.value = parts[into.next++];
  } else if (shape === "list") {
    const length = parts[into.next++] as number;
    into.value = parts.slice(into.next, into.next + length);
    into.next += length;
  } else {
    const object: Record<string, unknown> = {};
    const { keys, fields } = shape;
    for (let i = 0; i < keys.length; i++) {
      take(fields[i]!, parts, into);
      object[keys[i]!] = into.value;
    }
    into.value = object;
  }
}

/** Appends the values of one record; false, with some of them appended, if it is not of this shape. */
function put(shape: Shape, value: unknown, parts: unknown[]): boolean {
  if (shape === "value") {
    parts.push(value);
    return isPlainValue(value);
  }
  if (shape === "list") {
    if (!Array.isArray(value)) return false;
    parts.push(value.length);
    for (let i = 0; i < value.length; i++) {
      if (!isPlainValue(value[i]) || !(i in value)) return false;
      parts.push(value[i]);
    }
    return Object.keys(value).length === value.length;
  }
  if (!isPlainObject(value)) return false;
  const { keys, fields } = shape;
  let i = 0;
  for (const key in value) if (key !== keys[i++]) return false;
  if (i !== keys.length) return false;
  for (let k = 0; k < keys.length; k++) if (!put(fields[k]!, value[keys[k]!], parts)) return false;
  return true;
}

function shapeOf(value: unknown, depth: number): Shape | undefined {
  if (isPlainValue(value)) return "value";
  if (Array.isArray(value)) return "list";
  if (!isPlainObject(value) || depth === 0) return undefined;
  const keys = Object.keys(value);
  // Setting this one does not make a field of it.
  if (keys.includes("__proto__")) return undefined;
  const fields = keys.map((key) => shapeOf(value[key], depth - 1));
  return fields.includes(undefined) ? undefined : { keys, fields: fields as Shape[] };
}

function isPlainValue(value: unknown): boolean {
  const type = typeof value;
  return (
    type === "string" || type === "number" || type === "boolean" || value === null || value === undefined
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
