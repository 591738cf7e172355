/** Draws of the parameters given an allocation, of bench/plain/dpmpm-reference.ts. */
import {
  at,
  categoryCounts,
  classCounts,
  classes,
  fixedConcentration,
  holder,
  logRests,
  logSticks,
  logWeights,
  offsets,
  priorRate,
  priorShape,
  probabilities,
  put,
  room,
  variables,
  vector,
  weights,
} from './dpmpm-memory';
import { gamma, gammaFromOne, logGammaVariate } from '../random/gamma';
import { swapWithoutSticks, switchLabels } from './label-moves';
import { CONCENTRATION_NOT_A_NUMBER, DONE } from './outcomes';
import { exp, log } from '../math/portable-math';
import { isEmpty, refill } from '../random/stream';
import { quickExponential } from '../random/ziggurat';

/** alpha of the state. */
export let concentration: f64 = 0;
/** Occupied classes of the state. */
export let occupiedClasses: i32 = 0;

/** Draws the sticks given the counts; returns log pi_F, or NaN when alpha is no concentration. */
function drawSticks(alpha: f64): f64 {
  let after: f64 = 0;
  for (let f = 0; f < classes; f++) after += at(classCounts, f);
  let logRest: f64 = 0;
  for (let f = 0; f < classes - 1; f++) {
    after -= at(classCounts, f);
    const tail = alpha + after;
    if (!(tail > 0 && tail < Infinity)) return NaN;
    const shape = 1 + at(classCounts, f);
    let logStick: f64 = 0;
    let logOneMinus: f64 = 0;
    if (tail >= 1) {
      const first = gammaFromOne(shape);
      const second = gammaFromOne(tail);
      const logTotal = log(first + second);
      logStick = log(first) - logTotal;
      logOneMinus = log(second) - logTotal;
    } else {
      const first = logGammaVariate(shape);
      const second = logGammaVariate(tail);
      const largest = max(first, second);
      const logTotal = largest + log(exp(first - largest) + exp(second - largest));
      logStick = first - logTotal;
      logOneMinus = second - logTotal;
    }
    put(logSticks, f, logStick);
    put(logRests, f, logOneMinus);
    put(logWeights, f, logRest + logStick);
    logRest += logOneMinus;
  }
  put(logWeights, classes - 1, logRest);
  return logRest;
}

function drawProbabilities(): void {
  for (let k = 0; k < variables; k++) {
    const from = <usize>load<u32>(offsets + (<usize>k << 2)) * vector;
    const to = <usize>load<u32>(offsets + (<usize>(k + 1) << 2)) * vector;
    memory.fill(room, 0, vector);
    for (let c = from; c < to; c += vector) {
      const own = categoryCounts + (c >> 1);
      const out = probabilities + c;
      for (let f = 0; f < classes; f++) {
        const count = load<u32>(own + (load<u32>(holder + (<usize>f << 2)) << 2));
        if (isEmpty()) refill();
        let variate: f64 = -1;
        if (count == 0) variate = quickExponential();
        if (variate < 0) variate = gammaFromOne(1 + <f64>count);
        put(out, f, variate);
        put(room, f, at(room, f) + variate);
      }
    }
    for (let f = 0; f < classes; f++) put(room, f, 1 / at(room, f));
    for (let c = from; c < to; c += vector) {
      for (let f: usize = 0; f < vector; f += 16) {
        const out = probabilities + c + f;
        v128.store(out, f64x2.mul(v128.load(out), v128.load(room + f)));
      }
    }
  }
}

function drawWeights(): void {
  let largest: f64 = -Infinity;
  for (let f = 0; f < classes; f++) if (at(logWeights, f) > largest) largest = at(logWeights, f);
  let sum: f64 = 0;
  for (let f = 0; f < classes; f++) {
    const weight = exp(at(logWeights, f) - largest);
    put(weights, f, weight);
    sum += weight;
  }
  for (let f = 0; f < classes; f++) put(weights, f, at(weights, f) / sum);
}

/** Draws a state given the allocation in `classCounts` and `categoryCounts`, and alpha; returns whether it is one. */
export function drawState(): i32 {
  for (let f = 0; f < classes; f++) store<u32>(holder + (<usize>f << 2), f);
  swapWithoutSticks(concentration);
  const logRest = drawSticks(concentration);
  if (logRest != logRest) return CONCENTRATION_NOT_A_NUMBER;
  switchLabels();
  drawProbabilities();
  if (fixedConcentration) concentration = priorShape;
  else concentration = gamma(priorShape + <f64>classes - 1) / (priorRate - logRest);
  drawWeights();
  occupiedClasses = 0;
  for (let f = 0; f < classes; f++) if (at(classCounts, f) > 0) occupiedClasses++;
  return concentration < Infinity ? DONE : CONCENTRATION_NOT_A_NUMBER;
}

/** Sets alpha to where a chain begins. */
export function startConcentration(): void {
  concentration = fixedConcentration ? priorShape : 1;
}
