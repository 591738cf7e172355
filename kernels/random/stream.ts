/**
 * The streams of shared/random/random-stream.ts, operation by operation: the same numbers in the same order. The host
 * hands a stream's state over before a call, and takes it back after. The four generators are the lanes of a vector.
 */

/** Uniforms are drawn ahead, so that the generators' words stay in registers while they run. */
const BUFFERED: usize = 512;
const buffer: usize = memory.data(4096, 16);
const bufferEnd: usize = buffer + (BUFFERED << 3);
let position: usize = bufferEnd;
/** Bytes of the next block that are used already. */
let used: usize = 0;

/** Sixteen words: the state from which the buffer was filled. */
const filledFrom: usize = memory.data(64, 16);
/** Sixteen words: the state after it. */
const state: usize = memory.data(64, 16);

/** Takes a stream over: at `at`, the sixteen words of its state and how many numbers of the next block are used. */
export function takeStream(at: usize): void {
  memory.copy(state, at, 64);
  used = <usize>load<u32>(at, 64) << 3;
  position = bufferEnd;
}

/** Gives the stream back as it stands after the last number that was used. */
export function giveStream(at: usize): void {
  if (position < bufferEnd) {
    memory.copy(state, filledFrom, 64);
    used = position & 31;
    fill(position - used);
  }
  memory.copy(at, state, 64);
  store<u32>(at, used >> 3, 64);
}

function scrambled(word: v128): v128 {
  const product = i32x4.add(i32x4.shl(word, 2), word);
  const rotated = v128.or(i32x4.shl(product, 7), i32x4.shr_u(product, 25));
  return i32x4.add(i32x4.shl(rotated, 3), rotated);
}

/** Draws blocks of four uniforms from the beginning of the buffer up to `end`. */
function fill(end: usize): void {
  let s0 = v128.load(state);
  let s1 = v128.load(state, 16);
  let s2 = v128.load(state, 32);
  let s3 = v128.load(state, 48);
  const one = i64x2.splat(0x3ff0000000000000);
  const less = f64x2.splat(0.9999999999999999);
  for (let at = buffer; at < end; at += 32) {
    const high = i32x4.shr_u(scrambled(s1), 6);
    let shifted = i32x4.shl(s1, 9);
    s2 = v128.xor(s2, s0);
    s3 = v128.xor(s3, s1);
    s1 = v128.xor(s1, s2);
    s0 = v128.xor(s0, s3);
    s2 = v128.xor(s2, shifted);
    s3 = v128.or(i32x4.shl(s3, 11), i32x4.shr_u(s3, 21));
    const low = i32x4.shr_u(scrambled(s1), 6);
    shifted = i32x4.shl(s1, 9);
    s2 = v128.xor(s2, s0);
    s3 = v128.xor(s3, s1);
    s1 = v128.xor(s1, s2);
    s0 = v128.xor(s0, s3);
    s2 = v128.xor(s2, shifted);
    s3 = v128.or(i32x4.shl(s3, 11), i32x4.shr_u(s3, 21));
    // As the mantissa of a number in [1, 2), less 1 - 2^-53: the same double as (bits + 1/2) 2^-52.
    const first = v128.or(
      i64x2.shl(i64x2.extend_low_i32x4_u(high), 26),
      i64x2.extend_low_i32x4_u(low),
    );
    const second = v128.or(
      i64x2.shl(i64x2.extend_high_i32x4_u(high), 26),
      i64x2.extend_high_i32x4_u(low),
    );
    v128.store(at, f64x2.sub(v128.or(first, one), less));
    v128.store(at, f64x2.sub(v128.or(second, one), less), 16);
  }
  v128.store(state, s0);
  v128.store(state, s1, 16);
  v128.store(state, s2, 32);
  v128.store(state, s3, 48);
}

/** Whether no number is left that was drawn ahead. */
export function isEmpty(): bool {
  return position == bufferEnd;
}

/** Draws numbers ahead, when none is left. */
export function refill(): void {
  memory.copy(filledFrom, state, 64);
  fill(bufferEnd);
  position = buffer + used;
  used = 0;
}

/** The next number, when there is one. */
export function peek(): f64 {
  return load<f64>(position);
}

/** Goes on to the number after the next. */
export function skip(): void {
  position += 8;
}

/** Uniform on the open interval (0, 1). */
export function uniform(): f64 {
  if (isEmpty()) refill();
  const value = peek();
  skip();
  return value;
}

/** Uniform whole number in [0, bound). */
export function below(bound: i32): i32 {
  return <i32>(uniform() * <f64>bound);
}
