/** Sums of values in classes, and the normals drawn given them, of bench/plain/mixed-reference.ts. */
import { gammaBelow } from '../random/gamma-below';
import { normal } from '../random/ziggurat';
import { at, classes, classOfOne, holder, put, rows, vector } from '../sampler/dpmpm-memory';
import { DONE, VARIANCE_NOT_A_NUMBER } from '../sampler/outcomes';
import {
  continuous,
  kappa,
  latent,
  normalBytes,
  normalRate,
  normalShape,
  normalsOfValues,
  releasedColumn,
  releasedRow,
  smallest,
  sumBytes,
  valueColumns,
  values,
  valueSums,
} from './mixed-memory';

/** Standard deviations beyond which nothing of a normal is left, to the last digit. */
const REACH: f64 = 8.5;

/** Numbers beyond the range that are drawn for one value, at most. */
const MOST_REJECTED: i32 = 10000;

/** Whether an end of the range cuts something off a normal. */
export function isCut(mean: f64, variance: f64): bool {
  const nearest = min(mean, 1 - mean);
  return !(nearest > 0 && nearest * nearest >= REACH * REACH * variance);
}

function addTo(address: usize, value: f64): void {
  store<f64>(address, load<f64>(address) + value);
}

/** Number, mean and centred squares of the values in each class: the mean first, then distances from it. */
export function sumValues(): void {
  memory.fill(valueSums, 0, <usize>(continuous + 1) * sumBytes);
  for (let isSecond = 0; isSecond < 2; isSecond++) {
    let value = values;
    let which = normalsOfValues;
    for (let row = 0; row < rows; row++) {
      const own = valueSums + (<usize>load<u16>(classOfOne + (<usize>row << 1)) << 3);
      for (let column = 0; column < valueColumns; column++, value += 8, which += 4) {
        const number = own + (<usize>load<u32>(which) << 1);
        const mean = number + vector;
        if (isSecond) {
          const distance = load<f64>(value) - load<f64>(mean);
          addTo(mean + vector, distance * distance);
          addTo(mean + (vector << 1), distance);
        } else {
          addTo(number, 1);
          addTo(mean, load<f64>(value));
        }
      }
    }
    for (let j = 0; j < continuous; j++) finish(valueSums + <usize>j * sumBytes, isSecond != 0);
  }
}

function finish(numbers: usize, isSecond: bool): void {
  const means = numbers + vector;
  const squares = means + vector;
  const rests = squares + vector;
  for (let f = 0; f < classes; f++) {
    const number = at(numbers, f);
    if (number == 0) continue;
    if (!isSecond) {
      put(means, f, at(means, f) / number);
      continue;
    }
    // The distances add up to 0 but for the rounding of the mean, which this takes away.
    const rest = at(rests, f) / number;
    put(means, f, at(means, f) + rest);
    put(squares, f, max<f64>(0, at(squares, f) - rest * at(rests, f)));
  }
}

/** Adds a value to the number, mean and centred squares of a class. */
function addValue(numbers: usize, f: usize, value: f64): void {
  const number = at(numbers, f) + 1;
  const mean = at(numbers + vector, f);
  const distance = value - mean;
  const next = mean + distance / number;
  put(numbers, f, number);
  put(numbers + vector, f, next);
  addTo(numbers + (vector << 1) + (f << 3), distance * (value - next));
}

/**
 * Adds to the sums of the classes, for each value of a release, those beyond the range that were drawn in its place before it: given
 * them the normals have the posterior of whole ones.
 */
export function addRejected(): void {
  const none = <u32>(<usize>continuous * normalBytes);
  for (let row = releasedColumn < valueColumns ? 0 : releasedRow; row < rows; row++) {
    const f = <usize>load<u16>(classOfOne + (<usize>row << 1));
    for (let column = row < releasedRow ? releasedColumn : 0; column < valueColumns; column++) {
      const normalAt = load<u32>(normalsOfValues + (<usize>(row * valueColumns + column) << 2));
      if (normalAt == none) continue;
      const means = latent + <usize>normalAt;
      const mean = at(means, f);
      const variance = at(means + vector, f);
      if (!isCut(mean, variance)) continue;
      const deviation = sqrt<f64>(variance);
      const numbers = valueSums + (<usize>normalAt << 1);
      for (let drawn = 0; drawn < MOST_REJECTED; drawn++) {
        const value = mean + deviation * normal();
        if (value >= 0 && value <= 1) break;
        addValue(numbers, f, value);
      }
    }
  }
}

/** Draws mu and sigma squared of every class, by the labels that the classes have moved to; returns whether they are numbers. */
export function drawNormals(): i32 {
  for (let j = 0; j < continuous; j++) {
    const numbers = valueSums + <usize>j * sumBytes;
    const means = latent + <usize>j * normalBytes;
    const least = at(smallest, j);
    for (let f = 0; f < classes; f++) {
      const held = load<u32>(holder + (<usize>f << 2));
      const number = at(numbers, held);
      const distance = number == 0 ? 0 : at(numbers + vector, held) - 0.5;
      const total = kappa + number;
      const share = number / total;
      const rate = normalRate + 0.5 * (at(numbers + (vector << 1), held) + kappa * share * distance * distance);
      const variance = rate / gammaBelow(normalShape + 0.5 * number, rate / least);
      if (!(variance < Infinity)) return VARIANCE_NOT_A_NUMBER;
      put(means + vector, f, variance);
      put(means, f, 0.5 + share * distance + sqrt<f64>(variance / total) * normal());
    }
  }
  return DONE;
}
