/**
 * A study of how chains mix (docs/studies/mixing.md): which sampler finds the better modes, and which achieves the most
 * for its time. Prints one JSON line for each sampler.
 *
 *     npm run bench:mixing -- --table table.csv --part modes [--chains 8]
 *     npm run bench:mixing -- --table table.csv --part score [--replicates 2]
 *
 * `--sampler NAME` runs one of them alone; the names are those of the lines.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import { type CalibrationStudy, calibrationStudy } from '../calibration/calibration-study.ts';
import { categoricalCodes } from '../tables/categorical-codes.ts';
import { chibEstimate } from './chib.ts';
import { ExplicitAllocation } from './explicit-allocation.ts';
import { pmse } from './pmse.ts';
import { startingInFew, startingSequentially, temper, withLabelMoves, withSplitMerge } from './samplers.ts';

const CLASSES = 40;
const CONCENTRATION = { shape: 0.25, rate: 0.25 };
const PAIRED = { chains: 8, burnIn: 0, draws: 150, thin: 5 };
const BASE = { chains: 32, burnIn: 1000, draws: 50, thin: 10 };
const POWERS = [1, 0.98, 0.96, 0.94, 0.92, 0.9];
const TEMPERED_ITERATIONS = 300;

const { values: options } = parseArgs({
  options: {
    table: { type: 'string' },
    part: { type: 'string', default: 'modes' },
    chains: { type: 'string', default: '8' },
    replicates: { type: 'string', default: '2' },
    sampler: { type: 'string' },
  },
});
if (!options.table) throw new Error('--table FILE is needed');

let proposed = 0;
let accepted = 0;
const countMoves = (more: number, taken: number) => {
  proposed += more;
  accepted += taken;
};

/** Samplers, with the numbers of chains where they are not the defaults. */
const SAMPLERS: Record<string, Partial<Pick<CalibrationStudy, 'createModel' | 'base' | 'paired'>>> = {
  'label moves, F of each kind (default)': {},
  'no label moves': { createModel: withLabelMoves(0) },
  'label moves, F / 4 of each kind': { createModel: withLabelMoves(0.25) },
  'label moves, 4 F of each kind': { createModel: withLabelMoves(4) },
  'split-merge, 20 proposals every 10 iterations': { createModel: withSplitMerge(10, 20, countMoves) },
  'start in 3 classes': { createModel: startingInFew(3) },
  'start sequentially': { createModel: startingSequentially },
  'half of the burn-in': { base: { ...BASE, burnIn: 500 } },
  'twice the burn-in': { base: { ...BASE, burnIn: 2000 } },
  'half of the chains': { base: { ...BASE, chains: 16 }, paired: { ...PAIRED, chains: 4 } },
  'twice the chains': { base: { ...BASE, chains: 64 }, paired: { ...PAIRED, chains: 16 } },
};

const { table } = await readTable(readFileSync(options.table), { missing: 'category' });
const { codes, sizes } = categoricalCodes(table);
const { combinations } = combinationsFromCodes(codes, table.records, sizes.length);
const settings = { classes: CLASSES, concentration: CONCENTRATION };

/** CPU seconds of this process so far. */
const cpuSeconds = () => process.cpuUsage().user / 1e6;

function meanAndDeviation(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return `${mean.toPrecision(7)} ± ${Math.sqrt(squares / Math.max(1, values.length - 1)).toPrecision(3)}`;
}

/** What the chains of a sampler find: log-likelihood, Chib's estimate of the mode, and pMSE of a dataset. */
function findModes(name: string): object {
  const { createModel = createDpmpm, base = BASE } = SAMPLERS[name] ?? {};
  const model = createModel(combinations, sizes, settings);
  const started = cpuSeconds();
  const states = Array.from({ length: Number(options.chains) }, (_, c) => {
    const random = new RandomStream(c + 1, `mixing/${name}`);
    if (name !== 'parallel tempering') return model.step(model.init(random), random, base.burnIn);
    const explicit = new ExplicitAllocation(combinations, sizes, settings);
    const { state, swaps } = temper(explicit, POWERS, model.init(random), TEMPERED_ITERATIONS, random);
    console.error(`chain ${c + 1}: swaps accepted ${swaps.map((share) => share.toFixed(3)).join(', ')}`);
    return state;
  });
  const secondsPerChain = (cpuSeconds() - started) / states.length;
  const plain = createDpmpm(combinations, sizes, settings);
  return {
    secondsPerChain: secondsPerChain.toFixed(2),
    logLikelihood: meanAndDeviation(states.map((state) => plain.logLikelihood(state))),
    occupiedClasses: meanAndDeviation(states.map((state) => state.occupiedClasses)),
    alpha: meanAndDeviation(states.map((state) => state.concentration)),
    chib: meanAndDeviation(
      states.map((state, c) => chibEstimate(combinations, sizes, CLASSES, state, new RandomStream(c + 1, 'mixing/chib'))),
    ),
    pmse: meanAndDeviation(
      states.map((state, c) => {
        const random = new RandomStream(c + 1, 'mixing/dataset');
        const synthetic = synthesizeRecords(state, sizes, table.records, random);
        const dataset = combinationsFromCodes(synthetic, table.records, sizes.length);
        return pmse(combinations, dataset.combinations, sizes);
      }),
    ),
    ...(proposed > 0 ? { acceptedSplitsAndMerges: (accepted / proposed).toExponential(1) } : {}),
  };
}

/** What the estimate by a sampler achieves and claims, in nats a record, and the CPU seconds that it takes. */
function score(name: string): object {
  const replicates = Array.from({ length: Number(options.replicates) }, (_, r) => {
    const started = cpuSeconds();
    const { augmented } = calibrationStudy({
      codes,
      sizes,
      seed: r + 1,
      targets: 1000,
      model: settings,
      datasets: 5,
      chains: 'own',
      base: BASE,
      paired: PAIRED,
      foreign: false,
      ...SAMPLERS[name],
    });
    return { ...augmented!, seconds: cpuSeconds() - started };
  });
  const mean = (pick: (replicate: (typeof replicates)[number]) => number) =>
    replicates.reduce((sum, replicate) => sum + pick(replicate), 0) / replicates.length;
  return {
    achieved: mean(({ achieved }) => achieved).toFixed(4),
    claimed: mean(({ claimed }) => claimed).toFixed(4),
    slope: mean(({ slope }) => slope).toFixed(3),
    seconds: mean(({ seconds }) => seconds).toFixed(0),
  };
}

const names = [...Object.keys(SAMPLERS), ...(options.part === 'modes' ? ['parallel tempering'] : [])];
for (const name of options.sampler ? [options.sampler] : names) {
  proposed = 0;
  accepted = 0;
  console.log(JSON.stringify({ sampler: name, ...(options.part === 'modes' ? findModes(name) : score(name)) }));
}
