/** Values a digit of the radix sort can have: 16 bits, of which a double has four. */
const BUCKETS = 1 << 16;
const DIGITS = 4;

/** Below this number comparing is faster than counting the values of a digit. */
const COUNTING_FROM = 4096;

/**
 * Indices of numbers in ascending order, equal ones in the order of their indices: a radix sort, least digit first, which
 * takes time in proportion to their number. Zero and minus zero are equal.
 *
 * @param values numbers, which may be infinite
 */
export function sortedOrder(values: Float64Array): Uint32Array {
  const { length } = values;
  let order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  if (length < COUNTING_FROM) return order.sort((a, b) => values[a]! - values[b]! || a - b);
  const digits = orderedDigits(values);
  let next = new Uint32Array(length);
  const starts = new Uint32Array(BUCKETS);
  for (let digit = 0; digit < DIGITS; digit++) {
    starts.fill(0);
    for (let at = digit; at < digits.length; at += DIGITS) starts[digits[at]!]!++;
    // A digit that all have in common orders nothing.
    if (starts[digits[digit]!] === length) continue;
    for (let bucket = 0, sum = 0; bucket < BUCKETS; bucket++) {
      const count = starts[bucket]!;
      starts[bucket] = sum;
      sum += count;
    }
    for (let place = 0; place < length; place++) {
      const index = order[place]!;
      next[starts[digits[DIGITS * index + digit]!]!++] = index;
    }
    [order, next] = [next, order];
  }
  return order;
}

/**
 * The bits of doubles, turned so that their order as whole numbers is that of the numbers: four digits each, the least
 * first.
 */
function orderedDigits(values: Float64Array): Uint16Array {
  const words = new Uint32Array(2 * values.length);
  new Float64Array(words.buffer).set(values);
  for (let at = 0; at < words.length; at += 2) {
    // Minus zero becomes zero.
    if (words[at] === 0 && words[at + 1] === 0x80000000) words[at + 1] = 0;
    const negative = words[at + 1]! >>> 31 === 1;
    words[at] = negative ? ~words[at]! : words[at]!;
    words[at + 1] = negative ? ~words[at + 1]! : words[at + 1]! ^ 0x80000000;
  }
  return new Uint16Array(words.buffer);
}
