import { beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { readRisk, writePart } from '../../../shared/artifacts/stored-part.ts';
import { readStoredTable } from '../../../shared/artifacts/stored-table.ts';
import type { Config } from '../../../shared/contracts/config/config.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { chainDiagnosticsSchema } from '../../../shared/contracts/results/chain-diagnostics.ts';
import { type Summary, summarySchema } from '../../../shared/contracts/results/summary.ts';
import type { Plan } from '../../../shared/contracts/run/plan.ts';
import { encodeChainDraws } from '../../../shared/model/chains/chain-draws.ts';
import { aggregateRun } from '../../../shared/pipeline/results/aggregate-run.ts';
import { diagnoseChains } from '../../../shared/pipeline/results/diagnose-chains.ts';
import { riskWarnings } from '../../../shared/pipeline/results/risk-warnings.ts';
import { synthesizerOf } from '../../../shared/pipeline/synthesizers/synthesizers.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import type { AttributeRisk } from '../../../shared/risk/attribute/attribute-risk.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { runFigures, smallConfig, smallTable } from '../small-run.ts';

/** A run in one batch. */
const evaluate = (config: Config) => runFigures({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable(), batchSize: 1000 });

const summaryOf = ({ store, plan }: { store: MemoryStore; plan: Plan }) =>
  readJson(store, runKeys(plan.runId).confidential.summary, summarySchema);

describe('what a summary warns of', () => {
  let run: Awaited<ReturnType<typeof evaluate>>;
  let original: AttributeRisk;

  beforeAll(async () => {
    run = await evaluate(smallConfig());
    original = await readRisk(run.store, run.plan, 1);
  });

  /** The summary of the run with other figures in its one batch. */
  async function summaryWith(planted: Partial<AttributeRisk>): Promise<Summary> {
    const store = new MemoryStore();
    for (const key of await run.store.list('')) {
      const isReplaced = /\/parts\/1\/1\/(columns|half-|record-sums)/.test(key);
      if (!isReplaced) await store.put(key, await run.store.get(key));
    }
    await writePart(store, { runId: run.plan.runId, round: 1, batch: 1 }, { ...original, ...planted });
    await aggregateRun(store, run.plan);
    return summaryOf({ store, plan: run.plan });
  }
  const warned = ({ warnings }: Summary, code: string) => warnings.filter((warning) => warning.code === code).map(({ message }) => message);

  it('is of evaluations that would not agree, by what they would not agree on', async () => {
    const rows = original.rank.length;
    const width = original.halfRanks.length / rows;
    const random = new RandomStream(1, 'halves');
    const agreeing = Float64Array.from({ length: rows * width }, (_, i) => Math.floor(i / width));
    const differing = agreeing.map(() => random.uniform());
    const of = async (halfProbabilities: Float64Array, halfRanks: Float64Array) =>
      warned(await summaryWith({ halfProbabilities, halfRanks }), 'low-reproducibility');
    expect(await of(agreeing, agreeing)).toEqual([]);
    const [probability] = await of(differing, agreeing);
    expect(probability).toMatch(/only -?0\.\d\d in the probability of the truth\./);
    const [rank] = await of(agreeing, differing);
    expect(rank).toMatch(/only -?0\.\d\d in the rank of the truth\./);
    const [both] = await of(differing, differing);
    expect(both).toMatch(/only -?0\.\d\d in the probability of the truth and -?0\.\d\d in the rank of the truth\./);
  });

  it('is of chains that differ only where the risks are not reproduced; else the diagnostics say it', async () => {
    const { warnings } = await readJson(run.store, run.keys.chains, chainDiagnosticsSchema);
    expect(warnings.map(({ code }) => code)).toContain('chains-differ');
    const rows = original.rank.length;
    const width = original.halfRanks.length / rows;
    const random = new RandomStream(2, 'halves');
    const agreeing = Float64Array.from({ length: rows * width }, (_, i) => Math.floor(i / width));
    const halves = (of: Float64Array) => summaryWith({ halfProbabilities: of, halfRanks: of });
    expect(warned(await halves(agreeing), 'chains-differ')).toEqual([]);
    expect(warned(await halves(agreeing.map(() => random.uniform())), 'chains-differ')).toHaveLength(1);
  });

  it('is of true values that are ruled out, and then not of too few classes', async () => {
    const { attributeRisk, rounds } = await summaryOf(run);
    const near = { code: 'classes-near-limit', message: '' };
    const codesOf = (ruledOutShare: number) => riskWarnings(run.plan, [{ ...attributeRisk[0]!, ruledOutShare }], rounds, [near]);
    expect(codesOf(0.0009).map(({ code }) => code)).toContain('classes-near-limit');
    const warnings = codesOf(0.05);
    expect(warned({ warnings } as Summary, 'truths-ruled-out')).toEqual([expect.stringContaining('5.0\u00a0% of the true values')]);
    expect(warnings.map(({ code }) => code)).not.toContain('classes-near-limit');
    const crowded = { ...run.plan, warnings: [{ code: 'crowded-classes', message: '' }] };
    expect(riskWarnings(crowded, attributeRisk, rounds, [near]).map(({ code }) => code)).not.toContain('classes-near-limit');
  });

  it('is of a membership test that is off, whoever made the datasets', async () => {
    const { attributeRisk, rounds } = await summaryOf(run);
    const membership = { ...attributeRisk[0]!.membership!, power: 0.2, powerSimulationSe: 0.01, powerReleaseSe: 0.01 };
    const of = (plan: Plan) => {
      const warnings = riskWarnings(plan, [{ ...attributeRisk[0]!, membership }], rounds, []);
      return warned({ warnings } as Summary, 'membership-differs')[0];
    };
    expect(of(run.plan)).toContain('different fits of the table');
    expect(of({ ...run.plan, datasets: { ...run.plan.datasets, origin: 'elsewhere' } })).toContain(
      'may not be the one that made the datasets',
    );
  });

  it('is of paired chains whose length matters', async () => {
    const resampled = original.recordSums.map((_, i) => (i % 3 === 2 ? 60 + (i % 2) : 1));
    const of = async (bits: number) => {
      const summary = await summaryWith({
        recordSums: resampled,
        informationBits: original.informationBits.map(() => 1),
        halfLengthRank: original.rank,
        halfLengthProbability: original.probability,
        halfLengthInformationBits: original.informationBits.map(() => bits),
      });
      return { errors: summary.attributeRisk[0]!.halfLength!.changeInErrors!, warnings: warned(summary, 'length-matters') };
    };
    const little = await of(0.98);
    expect(little.errors).toBeLessThan(3);
    expect(little.warnings).toEqual([]);
    const much = await of(0.9);
    expect(much.errors).toBeGreaterThan(3);
    expect(much.warnings).toEqual([expect.stringMatching(/would find 0\.90? bits a record instead of 1\.0/)]);
  });

  it('is of tails that are too heavy, for the share of records that have them', async () => {
    const paretoK = original.paretoK.map((_, row) => (row === 0 ? 0.9 : -0.5));
    const summary = await summaryWith({ paretoK });
    expect(summary.attributeRisk[0]!.paretoKMax).toBe(0.9);
    expect(summary.attributeRisk[0]!.paretoKReason).toBeUndefined();
    const { combinations } = await readStoredTable(run.store, run.plan.runId);
    expect(summary.attributeRisk[0]!.heavyTailShare).toBe(combinations.counts[0]! / 60);
    // Of the fewest draws: two paired chains of four, where there are three base chains of four.
    expect(summary.attributeRisk[0]!.paretoKThreshold).toBeCloseTo(1 - 1 / Math.log10(8), 12);
    const unpaired = await summaryOf(await evaluate(smallConfig({ attributeRisk: { estimator: 'importance' } })));
    expect(unpaired.attributeRisk[0]!.paretoKThreshold).toBeCloseTo(1 - 1 / Math.log10(12), 12);
    expect(warned(summary, 'heavy-tails')).toEqual([expect.stringMatching(/ 1\.7\s% of the records \(Pareto k above -0\.11\)/)]);
    const none = await summaryWith({ paretoK: paretoK.map(() => -0.5) });
    expect(warned(none, 'heavy-tails')).toEqual([]);
    const unknown = await summaryWith({ paretoK: paretoK.map(() => NaN) });
    expect(unknown.attributeRisk[0]).toMatchObject({ paretoKMax: null, paretoKReason: expect.any(String) });
  });

  it('is of a slope other than one, and of importance weights that are those of a few draws', async () => {
    expect(warned(await summaryWith({}), 'slope-applied')).toEqual([]);
    const sloped = await summaryOf(await evaluate(smallConfig({ attributeRisk: { slope: 0.7 } })));
    expect(warned(sloped, 'slope-applied')).toEqual([expect.stringContaining('the power 0.7')]);
    expect(warned(sloped, 'few-effective-draws')).toEqual([]);
    const weighed = await summaryOf(await evaluate(smallConfig({ attributeRisk: { estimator: 'importance' } })));
    const { effectiveDrawsMin } = weighed.attributeRisk[0]!;
    expect(effectiveDrawsMin).toBeLessThan(10);
    expect(warned(weighed, 'few-effective-draws')).toEqual([
      expect.stringContaining(`only ${effectiveDrawsMin!.toFixed(2)} effective draws`),
    ]);
  });

  it('takes a tail for heavy by the fewest draws of any set of chains', async () => {
    const thresholdOf = async (attributeRisk: object) => {
      const mcmc = { chains: 8, draws: 4, pairedDraws: 20 };
      const { attributeRisk: risks } = await summaryOf(await evaluate(smallConfig({ mcmc, attributeRisk })));
      return risks[0]!.paretoKThreshold;
    };
    // Base chains have 32 draws, two pairs 40, and two chains of an intruder who knows less 8.
    expect(await thresholdOf({})).toBeCloseTo(1 - 1 / Math.log10(32), 12);
    const lesser = { scenarios: [{ name: 'half', knows: { share: 0.5 } }] };
    expect(await thresholdOf(lesser)).toBeCloseTo(1 - 1 / Math.log10(8), 12);
  });

  it('is of a reproducibility that was not reached, with the limit that would be enough', async () => {
    const messageOf = async (of: 'rank' | 'probability', attributeRisk: object) => {
      const mcmc = { reproducibility: { of, target: 0.999 }, maxChains: 7 };
      const found = await summaryOf(await evaluate(smallConfig({ mcmc, attributeRisk })));
      const { next } = found.rounds.at(-1)!;
      return { next: next!, message: warned(found, 'reproducibility-not-reached')[0]! };
    };
    const paired = await messageOf('probability', {});
    expect(paired.message).toMatch(/^The probabilities of two evaluations/);
    const { chains, pairedChains } = paired.next;
    expect(paired.message).toContain(`(mcmc.maxChains: ${chains + 2 * pairedChains}, `);
    // Where there are no pairs, base chains alone count.
    const weighed = await messageOf('rank', { estimator: 'importance' });
    expect(weighed.message).toMatch(/^The ranks of two evaluations/);
    expect(weighed.message).toContain(`(mcmc.maxChains: ${weighed.next.chains}, `);
  });

  it('says of an intruder who knows less how the datasets were put together', async () => {
    const of = async (datasets: number) => {
      const attributeRisk = { scenarios: [{ name: 'half', knows: { share: 0.5 } }] };
      const config = smallConfig({ synthesis: { datasets }, attributeRisk });
      return (await summaryOf(await evaluate(config))).attributeRisk[0]!;
    };
    const [one, two] = [await of(1), await of(2)];
    expect(one.together).toBe('one dataset: exact');
    expect(two.together).toMatch(/approximation/);
    expect([one.separately, two.separately].map((found) => found!.length)).toEqual([1, 2]);
    expect(two.knows).toEqual({ share: 0.5 });
    expect(two.meaning).toMatch(/^what an intruder who has .* learns/);
  });

  it('says why figures are absent', async () => {
    const reasonOf = async (config: Config) => (await summaryOf(await evaluate(config))).attributeRisk[0]!.halfLengthReason;
    expect(await reasonOf(smallConfig())).toBeUndefined();
    expect(await reasonOf(smallConfig({ attributeRisk: { estimator: 'importance' } }))).toMatch(/no paired/);
    expect(await reasonOf(smallConfig({ attributeRisk: { candidates: 'all-cells' } }))).toMatch(/^cells/);
    const still = await summaryWith({ halfProbabilities: original.halfProbabilities.map(() => 0.5) });
    expect(still.attributeRisk[0]).toMatchObject({ reproducibility: null, reproducibilityReason: expect.stringContaining('combinations') });
  });
});

describe('diagnoseChains()', () => {
  const CLASSES = 20;
  const DRAWS = 400;
  const config = smallConfig({ model: { classes: CLASSES }, mcmc: { chains: 3, burnIn: 7, draws: DRAWS, thin: 5 } });
  type Traces = Record<'alpha' | 'occupied' | 'logLikelihood', (chain: number, draw: number) => number>;

  /** Diagnoses three chains with given traces; those left out are the same noise in all. */
  async function diagnose(traces: Partial<Traces>, settings = config) {
    const store = new MemoryStore();
    const plan = { runId: 'run', config: settings } as Plan;
    const random = new RandomStream(2, 'traces');
    const noise = (mean: number) => mean + 0.2 * normal(random);
    const trace = (chain: number, name: keyof Traces, otherwise: () => number) =>
      Array.from({ length: DRAWS }, (_, draw) => traces[name]?.(chain, draw) ?? otherwise());
    for (const chain of [1, 2, 3]) {
      const draws = encodeChainDraws({
        draws: DRAWS,
        classes: 1,
        categories: 1,
        weights: new Float64Array(DRAWS).fill(1),
        probabilities: new Float64Array(DRAWS).fill(1),
        concentration: Float64Array.from(trace(chain, 'alpha', () => noise(1))),
        occupiedClasses: Uint16Array.from(trace(chain, 'occupied', () => 5 + random.below(3))),
        logLikelihood: Float64Array.from(trace(chain, 'logLikelihood', () => noise(-100))),
      });
      await store.put(runKeys('run').draws(`base/${chain}`), draws);
    }
    const found = await diagnoseChains(store, plan, synthesizerOf(settings).chains!, 3);
    return { ...found, codes: found.warnings.map(({ code }) => code) };
  }

  it('tells of each quantity what its chains are, and warns of nothing where they mix', async () => {
    const occupied = (chain: number, draw: number) => 5 + ((chain + draw) % 4) + (draw === 9 ? chain : 0);
    const found = await diagnose({ occupied });
    expect(found).toMatchObject({ chains: 3, drawsPerChain: DRAWS, burnIn: 7, thin: 5, warnings: [] });
    expect(found.quantities.map(({ quantity }) => quantity)).toEqual(['alpha', 'occupiedClasses', 'logLikelihood']);
    const traces = [1, 2, 3].map((chain) => Array.from({ length: DRAWS }, (_, draw) => occupied(chain, draw)));
    expect(found.occupiedClassesMax).toEqual(traces.map((trace) => Math.max(...trace)));
    const [alpha, classes, likelihood] = found.quantities;
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    for (const [c, trace] of traces.entries()) expect(classes!.chainMeans[c]).toBeCloseTo(mean(trace), 10);
    const all = traces.flat();
    expect(classes!.mean).toBeCloseTo(mean(all), 10);
    const variance = all.reduce((sum, value) => sum + (value - mean(all)) ** 2, 0) / (all.length - 1);
    expect(classes!.standardDeviation).toBeCloseTo(Math.sqrt(variance), 10);
    expect(Math.abs(alpha!.mean - 1)).toBeLessThan(0.05);
    expect(Math.abs(likelihood!.mean + 100)).toBeLessThan(0.05);
    expect(likelihood!.rHat).toBeLessThan(1.01);
    expect(likelihood!.rHatReason).toBeUndefined();
    expect(likelihood!.bulkEffectiveSize).toBeGreaterThan(500);
  });

  it('warns of chains that differ, naming the quantities, and of a chain whose labels have not mixed', async () => {
    const random = new RandomStream(3, 'alpha');
    const found = await diagnose({ alpha: (chain) => (chain === 2 ? 3.5 : 1) + 0.1 * random.uniform() });
    expect(found.codes).toEqual(['chains-differ', 'labels-not-mixed']);
    expect(found.warnings[0]!.message).toMatch(/R-hat above 1\.01: alpha \d\.\d{3}\)/);
    expect(found.warnings[1]!.message).toContain('alpha of chain 2 is more than 3 times the median');
    // Below three times the median the chains differ, and no label is to blame.
    const less = await diagnose({ alpha: (chain) => (chain === 2 ? 2.5 : 1) + 0.1 * random.uniform() });
    expect(less.codes).toEqual(['chains-differ']);
  });

  it('has no R-hat of what does not vary, which is worse where each chain stands at a value of its own', async () => {
    const still = await diagnose({ logLikelihood: () => -50 });
    expect(still.quantities[2]).toMatchObject({ rHat: null, rHatReason: 'the draws do not vary' });
    expect(still.codes).toEqual([]);
    const apart = await diagnose({ logLikelihood: (chain) => -50 * chain });
    expect(apart.quantities[2]).toMatchObject({ rHat: null, rHatReason: 'each chain stands still at a value of its own' });
    expect(apart.codes).toEqual(['chains-differ']);
    expect(apart.warnings[0]!.message).toContain('logLikelihood undefined');
  });

  it('warns where nine tenths of the classes are occupied in any draw', async () => {
    const most = (classes: number) => (chain: number, draw: number) => (chain === 3 && draw === 11 ? classes : 5 + (draw % 3));
    expect((await diagnose({ occupied: most(17) })).codes).toEqual([]);
    const near = await diagnose({ occupied: most(18) });
    expect(near.codes).toEqual(['classes-near-limit']);
    expect(near.warnings[0]!.message).toMatch(/^Up to 18 of 20 classes .* Raise model\.classes\.$/);
    const model = { name: 'dp-areal', clusters: 20 };
    const areal = await diagnose(
      { occupied: most(18), logLikelihood: (chain) => -50 * chain },
      smallConfig({ ...config, model, synthesis: { synthesized: ['region'] }, attributeRisk: {} }),
    );
    expect(areal.warnings[0]!.message).toContain('How cells fall into clusters');
    expect(areal.warnings[1]!.message).toMatch(/^Up to 18 of 20 clusters .* Raise model\.clusters\.$/);
  });
});
