/**
 * The blocked Gibbs sampler of bench/plain/mixed-reference.ts, operation by operation: the same draws to the last bit. See
 * there for the mathematics.
 */
import {
  categoryBytes,
  categoryCounts,
  classCounts,
  classes,
  classOfOne,
  parts,
  rows,
  stream,
  vector,
} from '../sampler/dpmpm-memory';
import { below, giveStream, takeStream, uniform } from '../random/stream';
import { drawState, startConcentration } from '../sampler/parameters';
import { DONE, IMPOSSIBLE_COMBINATION, WEIGHT_NOT_A_NUMBER } from '../sampler/outcomes';
import { classAt, logTotal, rowTotal, startLogs, sumClasses } from './class-weights';
import { addRejected, drawNormals, sumValues } from './normals';

export {
  categories,
  categoryCounts,
  classCounts,
  classes,
  classOfOne,
  fixedConcentration,
  holder,
  labelMoves,
  offsets,
  parts,
  priorRate,
  priorShape,
  probabilities,
  rows,
  runs,
  sets,
  stream,
  variables,
  weights,
} from '../sampler/dpmpm-memory';
export {
  continuous,
  groupOfRow,
  kappa,
  latent,
  normalRate,
  normalShape,
  normalsOfValues,
  order,
  partColumns,
  prepare,
  releasedColumn,
  releasedRow,
  smallest,
  uniforms,
  valueColumns,
  values,
  valueSums,
} from './mixed-memory';
import { order, partColumns, uniforms, valueColumns } from './mixed-memory';
export { concentration, occupiedClasses } from '../sampler/parameters';
export { tables as ziggurat } from '../random/ziggurat';

/** Counts the categories of rows by their classes, and adds up their values. */
function tally(): void {
  memory.fill(categoryCounts, 0, categoryBytes >> 1);
  memory.fill(classCounts, 0, vector);
  let part = parts;
  const others = <usize>valueColumns << 2;
  for (let row = 0; row < rows; row++) {
    const f = <usize>load<u16>(classOfOne + (<usize>row << 1));
    const end = part + (<usize>partColumns << 2);
    for (; part < end; part += 4) {
      const cell = categoryCounts + (f << 2) + (load<u32>(part) >> 1);
      store<u32>(cell, load<u32>(cell) + 1);
    }
    part += others;
    const own = classCounts + (f << 3);
    store<f64>(own, load<f64>(own) + 1);
  }
  sumValues();
}

/** Draws the class of each row given the state, by the numbers in `uniforms`. */
function allocate(): i32 {
  startLogs();
  for (let i = 0; i < rows; i++) {
    const row = load<i32>(order + (<usize>i << 2));
    const most = sumClasses(row);
    if (most == -Infinity) return IMPOSSIBLE_COMBINATION;
    if (!(rowTotal() < Infinity)) return WEIGHT_NOT_A_NUMBER;
    store<u16>(classOfOne + (<usize>row << 1), <u16>classAt(load<f64>(uniforms + (<usize>row << 3))));
  }
  return DONE;
}

/** Draws a state given the classes of the rows, which are in memory and tallied. */
function drawParameters(): i32 {
  const outcome = drawState();
  return outcome == DONE ? drawNormals() : outcome;
}

/** A state drawn given an allocation of the rows over all classes at random. */
export function init(): i32 {
  takeStream(stream);
  for (let row = 0; row < rows; row++) store<u16>(classOfOne + (<usize>row << 1), <u16>below(classes));
  startConcentration();
  tally();
  const outcome = drawParameters();
  giveStream(stream);
  return outcome;
}

/** The class of each row by the uniform numbers of the host, from the state in memory, which stays. */
export function classesByUniforms(): i32 {
  return allocate();
}

/** One iteration from the state in memory, which the next state replaces. */
export function step(): i32 {
  takeStream(stream);
  for (let row = 0; row < rows; row++) store<f64>(uniforms + (<usize>row << 3), uniform());
  let outcome = allocate();
  if (outcome == DONE) {
    tally();
    addRejected();
    outcome = drawParameters();
  }
  giveStream(stream);
  return outcome;
}

/** Log-likelihood of the rows under the state in memory (nats); NaN when some row is impossible. */
export function logLikelihood(): f64 {
  startLogs();
  let sum: f64 = 0;
  for (let row = 0; row < rows; row++) sum += logTotal(sumClasses(row));
  return sum;
}
