import type { RandomSource } from '../shared/random/random-source.ts';

/** Draws every sequence of numbers below the bounds that are asked for, one after the other, with its probability. */
export class AllDraws implements RandomSource {
  probability = 1;
  #taken: { value: number; bound: number }[] = [];
  #next = 0;

  uniform(): number {
    throw new RangeError('donors are drawn by number');
  }

  below(bound: number): number {
    if (this.#next === this.#taken.length) this.#taken.push({ value: 0, bound });
    this.probability /= bound;
    return this.#taken[this.#next++]!.value;
  }

  /** Begins the next sequence; false after the last. */
  advance(): boolean {
    this.#next = 0;
    this.probability = 1;
    while (this.#taken.length > 0) {
      const last = this.#taken.at(-1)!;
      if (++last.value < last.bound) return true;
      this.#taken.pop();
    }
    return false;
  }
}
