import type { Tables } from "./tables.ts";
import type { Workspace } from "./workspace.ts";

/** The positions of a network's block parameters in its workspace. */

export interface Norm {
  readonly weight: number;
  readonly bias: number;
}

interface Attention {
  readonly q: number;
  readonly k: number;
  readonly v: number;
  readonly o: number;
}

/** The parts that every block has. */
export interface Block {
  readonly n1: Norm;
  readonly self: Attention;
  readonly n3: Norm;
  readonly up: number;
  readonly upBias: number;
  readonly down: number;
  readonly downBias: number;
}

/** Keys and values kept for later attention. */
interface Kept {
  readonly keys: number;
  readonly values: number;
}

export interface DecoderBlock extends Block {
  readonly n2: Norm;
  readonly cross: Attention;
  /** Of the question. */
  readonly seen: Kept;
  /** Of the steps written so far. */
  readonly said: Kept;
}

export function normOf(name: string, tables: Tables, space: Workspace): Norm {
  return {
    weight: space.keep(tables.numbers(`${name}.weight`)),
    bias: space.keep(tables.numbers(`${name}.bias`)),
  };
}

function attentionOf(name: string, tables: Tables, space: Workspace): Attention {
  const matrix = (part: string) => space.keepMatrix(tables.matrix(`${name}.${part}.weight`));
  return { q: matrix("q"), k: matrix("k"), v: matrix("v"), o: matrix("o") };
}

export function encoderBlock(name: string, tables: Tables, space: Workspace): Block {
  return {
    n1: normOf(`${name}.n1`, tables, space),
    self: attentionOf(`${name}.self`, tables, space),
    n3: normOf(`${name}.n3`, tables, space),
    up: space.keepMatrix(tables.matrix(`${name}.up.weight`)),
    upBias: space.keep(tables.numbers(`${name}.up.bias`)),
    down: space.keepMatrix(tables.matrix(`${name}.down.weight`)),
    downBias: space.keep(tables.numbers(`${name}.down.bias`)),
  };
}

/** With room for this many words of a question and this many steps. */
export function decoderBlock(
  name: string,
  tables: Tables,
  space: Workspace,
  most: { readonly words: number; readonly said: number },
): DecoderBlock {
  const kept = (rows: number) => {
    const bytes = rows * tables.width * 4;
    return { keys: space.take(bytes), values: space.take(bytes) };
  };
  return {
    ...encoderBlock(name, tables, space),
    n2: normOf(`${name}.n2`, tables, space),
    cross: attentionOf(`${name}.cross`, tables, space),
    seen: kept(most.words),
    said: kept(most.said),
  };
}
