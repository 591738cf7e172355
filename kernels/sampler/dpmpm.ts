/**
 * The blocked Gibbs sampler of bench/plain/dpmpm-reference.ts, operation by operation: the same draws to the
 * last bit. See there for the mathematics; here are the memory and the two classes at a time (f64x2).
 */
import { allocate, allocateEvenly, classSums, startProducts } from './allocation';
import { total } from './class-sums';
import { counts, rows, stream } from './dpmpm-memory';
import { DONE } from './outcomes';
import { drawState, startConcentration } from './parameters';
import { log } from '../math/portable-math';
import { giveStream, takeStream } from '../random/stream';

export {
  categories,
  categoryCounts,
  classCounts,
  classes,
  classOfOne,
  counts,
  firstColumns,
  firstSets,
  fixedConcentration,
  holder,
  jointCategories,
  joints,
  labelMoves,
  offsets,
  parts,
  prepare,
  priorRate,
  priorShape,
  probabilities,
  rows,
  runs,
  sets,
  shared,
  stream,
  variables,
  weights,
} from './dpmpm-memory';
export { concentration, occupiedClasses } from './parameters';
export { tables as ziggurat } from '../random/ziggurat';

/** A state drawn given an allocation of the records over all classes at random. */
export function init(): i32 {
  takeStream(stream);
  allocateEvenly();
  startConcentration();
  const outcome = drawState();
  giveStream(stream);
  return outcome;
}

/** The first half of an iteration: allocates the records. */
export function allocateRecords(): i32 {
  takeStream(stream);
  const outcome = allocate();
  giveStream(stream);
  return outcome;
}

/** The second half: draws the next state, given the counts that the host may have added to. */
export function drawParameters(): i32 {
  takeStream(stream);
  const outcome = drawState();
  giveStream(stream);
  return outcome;
}

/** One iteration from the state in memory, which the next state replaces. */
export function step(): i32 {
  takeStream(stream);
  let outcome = allocate();
  if (outcome == DONE) outcome = drawState();
  giveStream(stream);
  return outcome;
}

/** Log-likelihood of the records under the state in memory (nats); NaN when some combination is impossible. */
export function logLikelihood(): f64 {
  let sum: f64 = 0;
  startProducts();
  for (let row = 0; row < rows; row++) {
    const scale = classSums(row);
    const records = load<u32>(counts + (<usize>row << 2));
    if (records > 0) sum += <f64>records * (log(total()) + scale);
  }
  return sum;
}
