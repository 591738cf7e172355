import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import {
  calibration,
  calibrationVerdict,
  excessVerdict,
  pooledCalibration,
  targetScores,
} from '../../../shared/risk/calibration/calibration.ts';
import {
  type CalibratedTargets,
  flaggedTargets,
  groupCalibration,
  groupsByClaim,
  riskiestTargets,
} from '../../../shared/risk/calibration/calibration-groups.ts';
import { calibratedTargets } from './calibrated-targets.ts';

const scoredAs = (
  { logLikelihoods, truths, candidates }: Omit<CalibratedTargets, 'scores' | 'replicates'>,
  replicates: number,
): CalibratedTargets => {
  const scored = { logLikelihoods, truths, candidates };
  return { ...scored, scores: targetScores(scored), replicates };
};

/** Calibrated targets of which some claim much more than others: likelihoods of a target are spread by its own factor. */
function unevenTargets(seed: number, targets: number) {
  const { logLikelihoods } = calibratedTargets(seed, targets, 6, 1);
  const random = new RandomStream(seed, 'uneven');
  const candidates = 6;
  const truths = new Uint32Array(targets);
  for (let t = 0; t < targets; t++) {
    const factor = Math.exp(0.6 * normal(random));
    let total = 0;
    const weights = Array.from({ length: candidates }, (_, x) => {
      const at = t * candidates + x;
      logLikelihoods[at] = factor * (logLikelihoods[at]! + 40);
      total += Math.exp(logLikelihoods[at]!);
      return Math.exp(logLikelihoods[at]!);
    });
    let left = random.uniform() * total;
    truths[t] = weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
  }
  return { logLikelihoods, truths, candidates };
}

const all = (targets: number) => Uint32Array.from({ length: targets }, (_, t) => t);

describe('targetScores()', () => {
  it('gives what is claimed and achieved by hand, and of ties for the first guess each its part', () => {
    const e = Math.E;
    const found = targetScores({ logLikelihoods: Float64Array.of(1, 0, 0, 5, 5, 4, 2, 2, 2), truths: [1, 0, 2], candidates: 3 });
    expect(found.achieved[0]).toBeCloseTo(Math.log(3 / (e + 2)), 13);
    const p = e / (e + 2);
    const q = 1 / (e + 2);
    expect(found.claimed[0]).toBeCloseTo(p * Math.log(3 * p) + 2 * q * Math.log(3 * q), 13);
    expect([...found.firstGuess].map((value) => value.toFixed(12))).toEqual([p, e / (2 * e + 1), 1 / 3].map((value) => value.toFixed(12)));
    expect([...found.firstGuessRight]).toEqual([0, 1 / 2, 1 / 3]);
  });
});

describe('groupsByClaim()', () => {
  it('divides every replicate by itself, from the least claimed to the most', () => {
    // Candidate 0 of target t is favoured by a number of nats that runs through a permutation.
    const targets = 200;
    const favour = (t: number) => ((t * 37) % 100) / 50 + Math.floor(t / 100);
    const logLikelihoods = Float64Array.from({ length: 2 * targets }, (_, i) => (i % 2 === 0 ? favour(i / 2) : 0));
    const of = scoredAs({ logLikelihoods, truths: new Uint32Array(targets), candidates: 2 }, 2);
    const groups = groupsByClaim(of);
    expect(groups).toHaveLength(10);
    for (const [g, group] of groups.entries()) {
      expect(group).toHaveLength(20);
      const places = [...group].map((t) => ((t % 100) * 37 + Math.floor(t / 100) * 3700) % 100);
      expect(places.every((place) => Math.floor(place / 10) === g)).toBe(true);
      expect([...group].filter((t) => t < 100)).toHaveLength(10);
    }
    // 5 % of 200 are 10.
    expect(riskiestTargets(of)).toBeNull();
  });

  it('holds every target once, in fewer groups where there are few', () => {
    for (const [targets, replicates, count] of [
      [4_000, 1, 10],
      [199, 1, 9],
      [102, 3, 5],
      [24, 2, 1],
      [2, 1, 1],
    ] as const) {
      const of = scoredAs(calibratedTargets(7, targets, 5, 1), replicates);
      const groups = groupsByClaim(of);
      expect(groups).toHaveLength(count);
      expect([...groups.flatMap((group) => [...group])].sort((a, b) => a - b)).toEqual([...all(targets)]);
    }
  });

  it('looks at the posterior alone: other truths leave the same groups', () => {
    const { logLikelihoods, truths, candidates } = calibratedTargets(8, 600, 5, 1);
    const others = truths.map((truth) => (truth + 1) % candidates);
    const [one, other] = [truths, others].map((of) => scoredAs({ logLikelihoods, truths: of, candidates }, 3));
    expect(groupsByClaim(one!)).toEqual(groupsByClaim(other!));
    expect(riskiestTargets(one!)).toEqual(riskiestTargets(other!));
    expect(riskiestTargets(one!)).toHaveLength(30);
  });
});

describe('flaggedTargets()', () => {
  it('gives those with the flag and those without, unless they are fewer than 20', () => {
    const flags = Uint8Array.from({ length: 60 }, (_, t) => (t % 3 === 0 ? 1 : 0));
    const [flagged, others] = flaggedTargets(flags);
    expect([...flagged!]).toEqual(Array.from({ length: 20 }, (_, i) => 3 * i));
    expect(others).toHaveLength(40);
    expect(flaggedTargets(new Uint8Array(30))).toEqual([null, all(30)]);
    expect(flaggedTargets(flags.fill(1, 0, 45))[1]).toBeNull();
  });
});

describe('groupCalibration()', () => {
  it('gives of all targets what calibration() and pooledCalibration() give', () => {
    const of = scoredAs(calibratedTargets(9, 600, 5, 1), 3);
    const { logLikelihoods, truths, candidates } = of;
    const pooled = pooledCalibration(
      calibration(logLikelihoods, truths, candidates),
      [0, 1, 2].map((r) =>
        calibration(
          logLikelihoods.subarray(r * 200 * candidates, (r + 1) * 200 * candidates),
          Array.from(truths).slice(200 * r, 200 * (r + 1)),
          candidates,
        ),
      ),
    );
    const found = groupCalibration(of, all(600));
    for (const name of ['achieved', 'achievedSe', 'claimed', 'claimedSe', 'excess', 'excessSe', 'slope'] as const) {
      expect(found[name], name).toBeCloseTo(pooled[name], 12);
    }
    expect(found.targets).toBe(600);
    expect(Math.abs(found.firstGuessExcess)).toBeLessThan(4 * found.firstGuessExcessSe);
    expect(found.firstGuessExcess).toBeCloseTo(found.firstGuessClaimed - found.firstGuessRight, 12);
  });

  it('knows by hand that targets of a replicate go wrong together', () => {
    // Two replicates of four targets, two candidates, one nat for the first: the first replicate is right in three of
    // its first guesses, the second in one.
    const logLikelihoods = Float64Array.from({ length: 16 }, (_, i) => 1 - (i % 2));
    const truths = [0, 0, 0, 1, 1, 0, 1, 1];
    const of = (replicates: number) => scoredAs({ logLikelihoods, truths, candidates: 2 }, replicates);
    const together = groupCalibration(of(2), all(8));
    expect(together.firstGuessRight).toBe(0.5);
    // Sums of the differences from 1/2 are 1 and -1: sqrt(2/1 x 2) / 8.
    expect(together.firstGuessRightSe).toBeCloseTo(2 / 8, 13);
    // As independent ones: sqrt(8/7 x 8 x 1/4) / 8, which is less.
    expect(groupCalibration(of(1), all(8)).firstGuessRightSe).toBeCloseTo(Math.sqrt(16 / 7) / 8, 13);
    // Three of the first replicate, one of the second: the mean is 3/4, the sums 3/4 and -3/4.
    const uneven = groupCalibration(of(2), Uint32Array.of(0, 1, 2, 4));
    expect(uneven.firstGuessRight).toBe(0.75);
    expect(uneven.firstGuessRightSe).toBeCloseTo(Math.sqrt(2 * 2 * (9 / 16)) / 4, 13);
    // Only one replicate has members: nothing tells how replicates differ.
    const one = groupCalibration(of(2), Uint32Array.of(0, 1, 3));
    expect(one.firstGuessRightSe).toBeCloseTo(Math.sqrt((3 / 2) * (6 / 9)) / 3, 13);
  });

  it('is not sure of a share of first guesses of which none or all are right', () => {
    // Twenty targets, two candidates, one nat for the first.
    const of = (truth: number) =>
      scoredAs(
        { logLikelihoods: Float64Array.from({ length: 40 }, (_, i) => 1 - (i % 2)), truths: Array(20).fill(truth), candidates: 2 },
        1,
      );
    for (const [truth, right] of [
      [1, 0],
      [0, 1],
    ] as const) {
      const found = groupCalibration(of(truth), all(20));
      expect(found.firstGuessRight).toBe(right);
      // Wilson's interval of none of 20 goes to z² / (20 + z²) = 0.1611, which is two quantiles of 1.96 wide.
      expect(found.firstGuessRightSe).toBeCloseTo(0.0411, 4);
      expect(found.firstGuessExcessSe).toBeCloseTo(0.0411, 4);
    }
  });

  it('has no slope to speak of where nothing is told', () => {
    const found = groupCalibration(
      scoredAs({ logLikelihoods: new Float64Array(90), truths: new Uint32Array(30), candidates: 3 }, 1),
      all(30),
    );
    expect(found).toMatchObject({ slope: 1, slopeSe: Infinity });
  });

  it('finds calibrated targets calibrated in every group, in about as many studies as errors allow', () => {
    const repeats = 100;
    let outside = 0;
    let groups = 0;
    for (let seed = 0; seed < repeats; seed++) {
      const of = scoredAs(unevenTargets(1_000 + seed, 600), 3);
      for (const chosen of [...groupsByClaim(of), riskiestTargets(of)!]) {
        groups++;
        if (excessVerdict(groupCalibration(of, chosen)) !== null) outside++;
      }
    }
    // 5 % are outside two errors of a normal distribution; those of few targets have long tails.
    expect(outside / groups).toBeLessThan(0.1);
    expect(outside).toBeGreaterThan(0);
  });

  it('finds an estimate that is right on average and overclaims for the riskiest', () => {
    const targets = 6_000;
    const { logLikelihoods, truths, candidates } = unevenTargets(11, targets);
    const honest = scoredAs({ logLikelihoods, truths, candidates }, 3);
    const top = new Set(groupsByClaim(honest).at(-1)!);
    // The tenth of most claim is made too sure, the others are made timid until the means agree.
    const planted = (timid: number) =>
      logLikelihoods.map((value, i) => (top.has(Math.floor(i / candidates)) ? 1.6 * value : timid * value));
    let [low, high] = [0.5, 1.2];
    for (let step = 0; step < 30; step++) {
      const middle = (low + high) / 2;
      if (calibration(planted(middle), truths, candidates).excess < 0) low = middle;
      else high = middle;
    }
    const of = scoredAs({ logLikelihoods: planted(low), truths, candidates }, 3);
    const found = groupCalibration(of, all(targets));
    expect(Math.abs(found.excess)).toBeLessThan(1e-6);
    expect(calibrationVerdict(found, targets).code).toBe('calibrated');
    const tenths = groupsByClaim(of).map((chosen) => groupCalibration(of, chosen));
    expect(excessVerdict(tenths.at(-1)!)).toBe('overclaims');
    expect(tenths.at(-1)!.slope).toBeLessThan(0.8);
    expect(tenths.at(-1)!.firstGuessExcess).toBeGreaterThan(3 * tenths.at(-1)!.firstGuessExcessSe);
    expect(excessVerdict(groupCalibration(of, riskiestTargets(of)!))).toBe('overclaims');
    expect(excessVerdict(groupCalibration(honest, riskiestTargets(honest)!))).toBeNull();
    expect(tenths.slice(0, 9).filter((tenth) => tenth.excess < 0).length).toBeGreaterThan(6);
  });
});
