/**
 * What the sampler of the model `mixed` has in memory beside that of the DPMPM (kernels/sampler/dpmpm-memory.ts), which it
 * shares: pi, phi, their counts, and the moves between labels. A row's parts are its categories, then for each column of
 * a continuous variable the one that says whether there is a value. `sets` is one: the category of missing values, which
 * every class gives probability 1.
 */
import { aligned, reserve } from '../math/memory';
import { categories, classes, holder, prepare as prepareDiscrete, rows, vector } from '../sampler/dpmpm-memory';

/** Continuous variables. */
export let continuous: i32 = 0;
/** Columns of discrete parts; `runs` is these and the columns of values together. */
export let partColumns: i32 = 0;
/** Columns of continuous variables. */
export let valueColumns: i32 = 0;
/** kappa0 of the prior of the normals. */
export let kappa: f64 = 0;
/** a0. */
export let normalShape: f64 = 0;
/** b0. */
export let normalRate: f64 = 0;
/** The first row of a release: its values, and those after it, were drawn within the range, and again where they were not. */
export let releasedRow: i32 = 0;
/** The first such column of values. */
export let releasedColumn: i32 = 0;

/** Bytes of the normals of a variable. */
export let normalBytes: usize = 0;
/** Bytes of the sums of a variable. */
export let sumBytes: usize = 0;

/** continuous, f64: the smallest variance of each variable. */
export let smallest: usize = 0;
/** rows x columns, f64: the values, 0 where there is none. */
export let values: usize = 0;
/** rows x columns, u32: the bytes before the value's normals in `normals`; those of no variable where there is no value. */
export let normalsOfValues: usize = 0;
/** rows, f64: numbers by which classes are drawn, of the host or of the stream. */
export let uniforms: usize = 0;
/** rows, u32: the rows in an order in which those of equal parts follow each other. */
export let order: usize = 0;
/** rows, u32: which rows have equal parts. */
export let groupOfRow: usize = 0;
/** continuous x 2 x padded classes, f64: mu and sigma squared of the state. */
export let latent: usize = 0;
/** (continuous + 1) x 2 x padded classes, f64: mu and the root of 1 / (2 sigma squared); all 0 after the variables. */
export let normals: usize = 0;
/** (continuous + 1) x 4 x padded classes, f64: number, mean, centred squares of the values in a class, and room. */
export let valueSums: usize = 0;
/**
 * (categories + 1 + 2 continuous) x padded classes, f64: log phi, 0 for missing values, the logarithm of the factor of each
 * normal, and that of each within the range. Parts of rows are bytes before a vector of it.
 */
export let logs: usize = 0;
/** padded classes, f64: log pi. */
export let logPi: usize = 0;
/** padded classes, f64: log pi and the logarithms of the parts of a group of rows. */
export let groupLogs: usize = 0;
/** padded classes, f64: logarithms of what the classes give a row; then those that matter, two at a time. */
export let rowLogs: usize = 0;
/** padded classes, f64: sums over those that matter. */
export let rowSums: usize = 0;
/** padded classes / 2, u32: which pair each of them is. */
export let pairs: usize = 0;

/** Lays the memory out by the numbers that the host has set; called once. */
export function prepare(): void {
  prepareDiscrete();
  normalBytes = vector << 1;
  sumBytes = vector << 2;
  const cells = <usize>rows * valueColumns;
  smallest = aligned(holder + (<usize>classes << 2), 64);
  values = aligned(smallest + (<usize>continuous << 3), 64);
  normalsOfValues = values + (cells << 3);
  uniforms = aligned(normalsOfValues + (cells << 2), 64);
  order = aligned(uniforms + (<usize>rows << 3), 64);
  groupOfRow = order + (<usize>rows << 2);
  latent = aligned(groupOfRow + (<usize>rows << 2), 64);
  normals = latent + <usize>continuous * normalBytes;
  valueSums = normals + <usize>(continuous + 1) * normalBytes;
  logs = valueSums + <usize>(continuous + 1) * sumBytes;
  logPi = logs + <usize>(categories + 1 + 2 * continuous) * vector;
  groupLogs = logPi + vector;
  rowLogs = groupLogs + vector;
  rowSums = rowLogs + vector;
  pairs = rowSums + vector;
  reserve(pairs + (vector >> 2));
}
