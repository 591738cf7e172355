import type { Column } from '../../table/table.ts';
import { type Cut, LEFT, RIGHT } from './cut.ts';

/** Divides ranges of orders of records by the side on which a cut puts them, each side in the order that it had. */
export class RecordDivider {
  /** Side of each record of the range whose sides were taken last. */
  readonly #sides: Uint8Array;
  readonly #spare: Uint32Array;

  /** @param records of the table */
  constructor(records: number) {
    this.#sides = new Uint8Array(records);
    this.#spare = new Uint32Array(records);
  }

  /**
   * Notes the side of the records `order[from .. to)`. Throws RangeError if the cut does not fit the type of the column.
   *
   * @param column of the cut's variable
   */
  takeSides(cut: Cut, column: Column, order: Uint32Array, from: number, to: number): void {
    if (cut.type === 'threshold' && column.type === 'continuous') {
      const { values } = column;
      for (let i = from; i < to; i++) {
        const record = order[i]!;
        this.#sides[record] = values[record]! < cut.threshold ? LEFT : RIGHT;
      }
    } else if (cut.type === 'categories' && column.type === 'categorical') {
      const { codes } = column;
      for (let i = from; i < to; i++) {
        const record = order[i]!;
        this.#sides[record] = cut.sides[codes[record]!]!;
      }
    } else {
      throw new RangeError(`a cut by ${cut.type} does not fit a ${column.type} column`);
    }
  }

  /** Puts the records of one side before all others in `order[from .. to)`; returns where these others begin. */
  bringForward(side: number, order: Uint32Array, from: number, to: number): number {
    let ahead = from;
    let behind = 0;
    for (let i = from; i < to; i++) {
      const record = order[i]!;
      if (this.#sides[record] === side) order[ahead++] = record;
      else this.#spare[behind++] = record;
    }
    order.set(this.#spare.subarray(0, behind), ahead);
    return ahead;
  }
}
