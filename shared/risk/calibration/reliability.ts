import { LN2, log } from '../../numeric/portable-math.ts';
import { posterior } from '../attribute/posterior.ts';

/** Candidates to which the posterior gives about the same probability, and how many of them are truths. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly candidates: number;
  readonly truths: number;
  /** Mean probability claimed: of a calibrated estimate the share of truths that is to be expected. */
  readonly meanClaimed: number;
  /** `truths` / `candidates`, with its 95 % interval (Wilson 1927). */
  readonly observedShare: number;
  readonly low: number;
  readonly high: number;
}

/** Most bins of a reliability plot, and the truths that each is to hold at least if the estimate is calibrated. */
const MOST_BINS = 10;
const FEWEST_TRUTHS = 20;

/** Width of the slices that bins are made of, in doublings of the probability. */
const SLICE = 1 / 16;

/** Quantile of the normal distribution that leaves 5 % outside. */
const Z = 1.959963984540054;

/** Interval of a binomial share that holds in small samples too (Wilson 1927). */
export function wilsonInterval(successes: number, trials: number): [low: number, high: number] {
  const share = successes / trials;
  const shrink = 1 + (Z * Z) / trials;
  const centre = (share + (Z * Z) / (2 * trials)) / shrink;
  const half = (Z * Math.sqrt((share * (1 - share)) / trials + (Z * Z) / (4 * trials * trials))) / shrink;
  return [Math.max(0, Math.min(share, centre - half)), Math.min(1, Math.max(share, centre + half))];
}

/** The error that chance gives a share of so many: that of which Wilson's interval is two normal quantiles wide, not 0 where none or all are. */
export function chanceError(share: number, of: number): number {
  const [low, high] = wilsonInterval(share * of, of);
  return (high - low) / (2 * Z);
}

type Slice = Record<'from' | 'to' | 'candidates' | 'truths' | 'claimed', number>;

/**
 * Claimed probabilities of all candidates of all targets against the share of truths among them. Bins are cut on a scale
 * of doublings so that each expects about as many truths as the others.
 *
 * @param logLikelihoods targets x candidates, each up to a constant
 * @param truths index of the true candidate of each target
 */
export function reliabilityBins(logLikelihoods: Float64Array, truths: ArrayLike<number>, candidates: number): ReliabilityBin[] {
  const targets = truths.length;
  const slices = new Map<number, Slice>();
  for (let t = 0; t < targets; t++) {
    for (const [x, p] of posterior(logLikelihoods, t * candidates, candidates).entries()) {
      // Candidates whose probability rounds to zero lie below all others.
      const place = p > 0 ? Math.floor(log(p) / (SLICE * LN2)) : -Infinity;
      let slice = slices.get(place);
      if (!slice) {
        slice = { from: p, to: p, candidates: 0, truths: 0, claimed: 0 };
        slices.set(place, slice);
      }
      slice.from = Math.min(slice.from, p);
      slice.to = Math.max(slice.to, p);
      slice.candidates++;
      slice.claimed += p;
      if (x === truths[t]) slice.truths++;
    }
  }
  const ordered = [...slices].sort(([a], [b]) => a - b).map(([, slice]) => slice);
  const count = Math.max(1, Math.min(MOST_BINS, Math.floor(targets / FEWEST_TRUTHS)));
  const bins: Slice[] = [];
  let claimedBefore = 0;
  for (const slice of ordered) {
    // The bin to which the middle of the slice belongs, when all truths are dealt out evenly.
    const bin = Math.floor(((claimedBefore + slice.claimed / 2) * count) / targets);
    claimedBefore += slice.claimed;
    const open = bins[bin];
    bins[bin] = open ? joined(open, slice) : slice;
  }
  return bins
    .filter((bin) => bin !== undefined)
    .map(({ from, to, candidates: members, truths: found, claimed }) => {
      const [low, high] = wilsonInterval(found, members);
      return { from, to, candidates: members, truths: found, meanClaimed: claimed / members, observedShare: found / members, low, high };
    });
}

function joined(a: Slice, b: Slice): Slice {
  return {
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
    candidates: a.candidates + b.candidates,
    truths: a.truths + b.truths,
    claimed: a.claimed + b.claimed,
  };
}
