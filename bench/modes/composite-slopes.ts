/** Slopes that make log-odds calibrated, each with its standard error. */
export interface Slopes {
  readonly slopes: readonly number[];
  readonly errors: readonly number[];
}

/** Observations of one unit, which share its chains. */
export interface Observations {
  /** Terms of the log-odds, each with one entry an observation. */
  readonly terms: readonly Float64Array[];
  /** 1 where the odds should favour, -1 where they should not; one for all observations. */
  readonly label: 1 | -1;
}

/** Most blocks of the jackknife. */
const MOST_BLOCKS = 8;

/**
 * Composite logistic regression without intercept: the coefficients under which a sum of terms predicts labels best,
 * all observations taken as if they were independent (Varin et al. 2011). Their errors are those of a jackknife over
 * blocks of units, within which they need not be.
 *
 * @param pairs units with either label, which are left out together
 * @throws RangeError when there is one pair alone
 */
export function compositeSlopes(pairs: readonly (readonly Observations[])[]): Slopes {
  const blocks = Math.min(MOST_BLOCKS, pairs.length);
  if (blocks < 2) throw new RangeError('one pair has no spread');
  const slopes = bestCoefficients(pairs.flat());
  const left = Array.from({ length: blocks }, (_, block) => bestCoefficients(pairs.filter((__, pair) => pair % blocks !== block).flat()));
  const errors = slopes.map((_, k) => {
    const mean = left.reduce((sum, each) => sum + each[k]!, 0) / blocks;
    const squares = left.reduce((sum, each) => sum + (each[k]! - mean) ** 2, 0);
    return Math.sqrt(((blocks - 1) / blocks) * squares);
  });
  return { slopes, errors };
}

/** Newton's method on the concave log-likelihood, from zero; at most two coefficients. */
function bestCoefficients(units: readonly Observations[]): number[] {
  const count = units[0]!.terms.length;
  const coefficients = new Array<number>(count).fill(0);
  for (let iteration = 0; iteration < 100; iteration++) {
    const gradient = new Array<number>(count).fill(0);
    const information = Array.from({ length: count }, () => new Array<number>(count).fill(0));
    for (const { terms, label } of units) {
      for (let i = 0; i < terms[0]!.length; i++) {
        const odds = coefficients.reduce((sum, coefficient, k) => sum + coefficient * terms[k]![i]!, 0);
        const missed = 1 / (1 + Math.exp(label * odds));
        for (let k = 0; k < count; k++) {
          gradient[k]! += label * missed * terms[k]![i]!;
          for (let j = 0; j < count; j++) {
            information[k]![j]! += missed * (1 - missed) * terms[k]![i]! * terms[j]![i]!;
          }
        }
      }
    }
    const step = solve(information, gradient).map((value) => Math.max(-1, Math.min(1, value)));
    for (let k = 0; k < count; k++) coefficients[k]! += step[k]!;
    if (step.every((value) => Math.abs(value) < 1e-9)) return coefficients;
  }
  throw new RangeError('the slopes do not converge');
}

/** Solves a symmetric system of one or two equations. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const [[a, b = 0]] = matrix as [[number, number?]];
  if (right.length === 1) return [right[0]! / a];
  const d = matrix[1]![1]!;
  const determinant = a * d - b * b;
  return [(d * right[0]! - b * right[1]!) / determinant, (a * right[1]! - b * right[0]!) / determinant];
}

/**
 * Information about the label in bits an observation: what the log-odds achieve (by the logarithmic score against even
 * odds), and what they claim to.
 */
export function labelInformation(units: readonly { logOdds: Float64Array; label: 1 | -1 }[]) {
  let achieved = 0;
  let claimed = 0;
  let observations = 0;
  for (const { logOdds, label } of units) {
    for (const odds of logOdds) {
      const p = 1 / (1 + Math.exp(-odds));
      achieved += 1 - logOnePlusExp(-label * odds) / Math.LN2;
      claimed += 1 - (p * logOnePlusExp(-odds) + (1 - p) * logOnePlusExp(odds)) / Math.LN2;
      observations++;
    }
  }
  return { achieved: achieved / observations, claimed: claimed / observations };
}

const logOnePlusExp = (value: number) => Math.max(value, 0) + Math.log1p(Math.exp(-Math.abs(value)));
