/**
 * What the sampler has in memory and what it is bound to; laid out once, before anything else. The numbers that it is laid out
 * by are set by the host.
 */
import { aligned, reserve } from '../math/memory';
import { placeSums } from './class-sums';

/** Bytes of a line of the cache. */
const LINE: usize = 64;

/** Combinations. */
export let rows: i32 = 0;
/** Runs of columns (`SharingOrder`). */
export let runs: i32 = 0;
/** Variables. */
export let variables: i32 = 0;
/** Columns of the first variable: so many of its categories every record has. */
export let firstColumns: i32 = 0;
/** Sets of categories of the first variable, the first of which is that of all its categories. */
export let firstSets: i32 = 0;
/** F. */
export let classes: i32 = 0;
/** Categories of all variables. */
export let categories: i32 = 0;
/** Sets of categories of all variables. */
export let sets: i32 = 0;
/** Joint categories. */
export let jointCategories: i32 = 0;
/** Bytes of a vector over classes, padded to a multiple of eight with classes of weight zero. */
export let vector: usize = 0;
/** Bytes of `probabilities` and of the ones after it. */
export let categoryBytes: usize = 0;
/** Bytes of the products of joint categories, which follow `probabilities`. */
export let jointBytes: usize = 0;
/** Whether labels move. */
export let labelMoves: i32 = 0;
/** Whether alpha is fixed. */
export let fixedConcentration: bool = false;
/** Shape of the prior of alpha, or its fixed value. */
export let priorShape: f64 = 0;
/** Rate of the prior of alpha. */
export let priorRate: f64 = 0;

/** runs x padded classes, f64: the weights, and products over the leading parts of a combination. */
export let products: usize = 0;
/** padded classes, f64, and eight more: see `placeSums`. */
export let sums: usize = 0;
/** padded classes, f64: records of each class. */
export let classCounts: usize = 0;
/** u32, laid out as `probabilities` and the joint categories in half the space: records of each. */
export let categoryCounts: usize = 0;
/** padded classes, f64: room for a vector. */
export let room: usize = 0;
/** classes, u32: whose records each class holds, once labels have moved. */
export let holder: usize = 0;
/** padded classes, f64: log V. */
export let logSticks: usize = 0;
/** padded classes, f64: log(1 - V). */
export let logRests: usize = 0;
/** padded classes, f64: log pi. */
export let logWeights: usize = 0;

/** rows x runs, u32: for each part of a combination (`SharingOrder`), the bytes before it in `probabilities`. */
export let parts: usize = 0;
/** joint categories x 2, u32: the same for what each is put together from. */
export let joints: usize = 0;
/** rows, u16: leading parts shared with the row before. */
export let shared: usize = 0;
/** rows, u32: records of each combination. */
export let counts: usize = 0;
/** rows, u16: class of one record of each combination in the last allocation. */
export let classOfOne: usize = 0;
/** variables + 1, u32: first category of each variable in column order. */
export let offsets: usize = 0;
/** The stream's state, 68 bytes: see `takeStream`. */
export let stream: usize = 0;
/** padded classes, f64: pi of the state, which `step` replaces. */
export let weights: usize = 0;
/** categories of all variables end to end x padded classes, f64: phi of the state; then its sums over sets of categories. */
export let probabilities: usize = 0;

/** Lays the memory out by the numbers that the host has set; called once. */
export function prepare(): void {
  vector = <usize>((classes + 7) & ~7) << 3;
  categoryBytes = <usize>(categories + sets) * vector;
  jointBytes = <usize>jointCategories * vector;
  stream = aligned(__heap_base, LINE);
  parts = stream + 128;
  joints = aligned(parts + (<usize>rows * runs << 2), LINE);
  shared = aligned(joints + (<usize>jointCategories << 3), LINE);
  counts = aligned(shared + (<usize>rows << 1), LINE);
  classOfOne = aligned(counts + (<usize>rows << 2), LINE);
  offsets = aligned(classOfOne + (<usize>rows << 1), LINE);
  weights = aligned(offsets + (<usize>(variables + 1) << 2), LINE);
  probabilities = weights + vector;
  categoryCounts = probabilities + categoryBytes + jointBytes;
  products = aligned(categoryCounts + ((categoryBytes + jointBytes) >> 1), LINE);
  sums = products + <usize>runs * vector;
  classCounts = sums + vector + 64;
  room = classCounts + vector;
  logSticks = room + vector;
  logRests = logSticks + vector;
  logWeights = logRests + vector;
  holder = logWeights + vector;
  reserve(holder + (<usize>classes << 2));
  placeSums(sums, vector);
}

/** Number at an index of an array of f64. */
export function at(array: usize, index: i32): f64 {
  return load<f64>(array + (<usize>index << 3));
}

/** Puts a number at an index of an array of f64. */
export function put(array: usize, index: i32, value: f64): void {
  store<f64>(array + (<usize>index << 3), value);
}
