/**
 * The cheapest one-to-one assignment of rows to columns by shortest augmenting paths with dual prices (Jonker
 * and Volgenant 1987, without their initial reductions), O(min(r, c)²·max(r, c)). `costs` is row-major; Infinity
 * forbids a pair. As many pairs as possible are made, and among those choices the sum is least. Answers the
 * column of each row, or −1. Throws a RangeError on NaN, −Infinity or a wrong size.
 */
export function assign(costs: Float64Array, rows: number, columns: number): Int32Array {
  if (costs.length !== rows * columns) {
    throw new RangeError(`expected ${rows} × ${columns} costs, got ${costs.length}`);
  }
  const columnOfRow = new Int32Array(rows).fill(-1);
  if (costs.length === 0) return columnOfRow;
  const tall = rows > columns;
  const dense = withoutInfinities(costs, rows, columns, tall);
  const partner = solve(dense, Math.min(rows, columns), Math.max(rows, columns));
  partner.forEach((long, short) => {
    const row = tall ? long : short;
    const column = tall ? short : long;
    if (costs[row * columns + column]! < Infinity) columnOfRow[row] = column;
  });
  return columnOfRow;
}

/**
 * Lays the shorter side out as rows, moves the least cost to 0, and prices forbidden pairs just above the spread
 * of any whole assignment: then one pair more always pays, and no digits are lost to an arbitrary large number.
 */
function withoutInfinities(costs: Float64Array, rows: number, columns: number, tall: boolean): Float64Array {
  let [min, max] = [Infinity, -Infinity];
  for (const cost of costs) {
    if (Number.isNaN(cost) || cost === -Infinity)
      throw new RangeError(`expected costs or Infinity, got ${cost}`);
    if (cost === Infinity) continue;
    min = Math.min(min, cost);
    max = Math.max(max, cost);
  }
  const spread = max > min ? max - min : 1;
  const forbidden = (Math.min(rows, columns) + 1) * spread;
  const dense = new Float64Array(costs.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const cost = costs[row * columns + column]!;
      dense[tall ? column * rows + row : row * columns + column] = cost === Infinity ? forbidden : cost - min;
    }
  }
  return dense;
}

/** For n ≤ m and finite costs: the column of each row. Index 0 of the work arrays is a virtual start column. */
function solve(costs: Float64Array, n: number, m: number): Int32Array {
  const rowPrice = new Float64Array(n + 1);
  const columnPrice = new Float64Array(m + 1);
  const rowOf = new Int32Array(m + 1);
  const previous = new Int32Array(m + 1);
  const distance = new Float64Array(m + 1);
  const done = new Uint8Array(m + 1);
  for (let start = 1; start <= n; start++) {
    rowOf[0] = start;
    distance.fill(Infinity);
    done.fill(0);
    let column = 0;
    while (rowOf[column] !== 0) {
      done[column] = 1;
      const row = rowOf[column]!;
      let step = Infinity;
      let nearest = 0;
      for (let j = 1; j <= m; j++) {
        if (done[j]) continue;
        const reduced = costs[(row - 1) * m + j - 1]! - rowPrice[row]! - columnPrice[j]!;
        if (reduced < distance[j]!) {
          distance[j] = reduced;
          previous[j] = column;
        }
        if (distance[j]! < step) {
          step = distance[j]!;
          nearest = j;
        }
      }
      for (let j = 0; j <= m; j++) {
        if (done[j]) {
          rowPrice[rowOf[j]!]! += step;
          columnPrice[j]! -= step;
        } else {
          distance[j]! -= step;
        }
      }
      column = nearest;
    }
    for (; column !== 0; column = previous[column]!) rowOf[column] = rowOf[previous[column]!]!;
  }
  const columnOf = new Int32Array(n);
  for (let j = 1; j <= m; j++) if (rowOf[j] !== 0) columnOf[rowOf[j]! - 1] = j - 1;
  return columnOf;
}
