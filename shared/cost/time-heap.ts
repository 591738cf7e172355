/** Items by time, the earliest first; of equal times any first. A binary heap: O(log n) to push and to pop. */
export class TimeHeap<Item> {
  readonly #times: number[] = [];
  readonly #items: Item[] = [];

  /** Number of items. */
  get size(): number {
    return this.#times.length;
  }

  /** Time of the earliest item; Infinity when there is none. */
  get earliest(): number {
    return this.#times[0] ?? Infinity;
  }

  /** Adds an item. */
  push(time: number, item: Item): void {
    let at = this.#times.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#times[parent]! <= time) break;
      this.#put(at, this.#times[parent]!, this.#items[parent]!);
      at = parent;
    }
    this.#put(at, time, item);
  }

  /** Takes the earliest item out. Throws RangeError when there is none. */
  pop(): Item {
    if (this.#times.length === 0) throw new RangeError('the heap is empty');
    const first = this.#items[0]!;
    const time = this.#times.pop()!;
    const item = this.#items.pop()!;
    const size = this.#times.length;
    if (size === 0) return first;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.#times[child + 1]! < this.#times[child]!) child++;
      if (this.#times[child]! >= time) break;
      this.#put(at, this.#times[child]!, this.#items[child]!);
      at = child;
    }
    this.#put(at, time, item);
    return first;
  }

  #put(at: number, time: number, item: Item): void {
    this.#times[at] = time;
    this.#items[at] = item;
  }
}
