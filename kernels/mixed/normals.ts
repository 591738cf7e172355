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
  smallest,
  sumBytes,
  valueColumns,
  values,
  valueSums,
} from './mixed-memory';

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
