import { EMPTY, ones, phi, times, vector } from './vectors';

/**
 * The distinct values that the rows of a batch have on some of the variables, and the products of probabilities over
 * these variables. Rows with the same value share its products.
 */
export class ValueGroups {
  /** values x variables, u32: categories, numbered through all variables; values in lexicographic order. */
  categories: usize;
  /** values + 1, u32: where the rows of each value begin in `members`. */
  starts: usize;
  /** rows, u32: the rows, value by value. */
  members: usize;
  /** rows, u32: value of each row. */
  valueOfRow: usize;
  /** Vectors over classes: the products that are kept. */
  products: usize;
  /** values, u32: address of the product over all variables, of every value. */
  fulls: usize;
  /** variables, u32: address of the product over the variables before each, of the value last multiplied. */
  before: usize;
  /** variables, u32: address of the product over the variables after each, of the value last multiplied. */
  after: usize;
  /** Value whose products `before` holds, or -1. */
  reached: i32 = -1;

  constructor(
    public rows: i32,
    public variables: i32,
    public values: i32,
  ) {
    this.categories = heap.alloc(<usize>values * variables << 2);
    this.starts = heap.alloc(<usize>(values + 1) << 2);
    this.members = heap.alloc(<usize>rows << 2);
    this.valueOfRow = heap.alloc(<usize>rows << 2);
    this.products = heap.alloc(<usize>(values + 3 * variables) * vector);
    this.fulls = heap.alloc(<usize>values << 2);
    this.before = heap.alloc(<usize>variables << 2);
    this.after = heap.alloc(<usize>variables << 2);
  }

  category(value: i32, variable: i32): u32 {
    return load<u32>(this.categories + (<usize>(value * this.variables + variable) << 2));
  }

  start(value: i32): u32 {
    return load<u32>(this.starts + (<usize>value << 2));
  }

  member(at: u32): u32 {
    return load<u32>(this.members + (<usize>at << 2));
  }

  /** Address of the full product of a value. */
  full(value: u32): usize {
    return load<u32>(this.fulls + (<usize>value << 2));
  }

  /** Address of the full product of a row's value. */
  fullOfRow(row: u32): usize {
    return this.full(load<u32>(this.valueOfRow + (<usize>row << 2)));
  }

  /** Address of the product over the variables before one. */
  beforeOf(variable: i32): usize {
    return load<u32>(this.before + (<usize>variable << 2));
  }

  /** Where a product may be kept: the full one of each value, then three for each variable. */
  place(number: i32): usize {
    return this.products + <usize>number * vector;
  }

  /** Begins a draw, whose products begin with `empty`: a vector or EMPTY. */
  beginDraw(empty: usize): void {
    this.reached = -1;
    if (this.variables > 0) store<u32>(this.before, empty);
    else store<u32>(this.fulls, empty == EMPTY ? ones : empty);
  }

  /** Products from the left: `before`, and the full product. What the value shares with the one before it stays. */
  multiplyBefore(value: i32): void {
    const last = this.variables - 1;
    if (last < 0) return;
    let k = 0;
    if (this.reached >= 0) while (k < last && this.category(value, k) == this.category(this.reached, k)) k++;
    for (; k < last; k++) {
      const product = times(this.beforeOf(k), phi(this.category(value, k)), this.place(this.values + k));
      store<u32>(this.before + (<usize>(k + 1) << 2), product);
    }
    const full = times(this.beforeOf(last), phi(this.category(value, last)), this.place(value));
    store<u32>(this.fulls + (<usize>value << 2), full);
    this.reached = value;
  }

  /** Products from the right: `after`. */
  multiplyAfter(value: i32): void {
    let product = EMPTY;
    for (let k = this.variables - 1; k >= 0; k--) {
      store<u32>(this.after + (<usize>k << 2), product);
      if (k > 0) product = times(product, phi(this.category(value, k)), this.place(this.values + this.variables + k));
    }
  }

  /** Address of a prefix that reaches up to a variable times the product over the variables after it, kept until the next call for the variable. */
  complete(prefix: usize, variable: i32): usize {
    const after = load<u32>(this.after + (<usize>variable << 2));
    const product = times(prefix, after, this.place(this.values + 2 * this.variables + variable));
    return product == EMPTY ? ones : product;
  }
}
