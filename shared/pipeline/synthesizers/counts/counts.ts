import { UnsupportedOptionError } from '../../../contracts/errors.ts';
import { plannedCount } from '../../../model/conjugate/planned-count.ts';
import { chainBytes } from '../chains/chain-bytes.ts';
import type { Synthesizer } from '../synthesizer.ts';
import { numbersAfter } from '../task-numbers.ts';
import { drawDataset } from './draw-dataset.ts';
import { estimateCounts } from './estimate-counts.ts';
import { refuseUndeclared } from './refuse-undeclared.ts';

/** Why a command has nothing to do where the risk is exact. */
const REFUSED_EXACT: Readonly<Record<string, string>> = {
  assess:
    'known of the datasets that a run has drawn alone: evaluate the table. Datasets made elsewhere are assessed under a model with chains.',
  calibrate: 'claims what it achieves: there is nothing to calibrate.',
};

/** A model of the counts of cells, smoothed so that its datasets are differentially private (003). */
export const counts: Synthesizer = {
  chains: null,
  refusePurpose(purpose, { model }) {
    const reason = REFUSED_EXACT[purpose];
    if (reason === undefined) return;
    throw new UnsupportedOptionError('exact-risk', `The risk under the model ${model.name} is exact, and ${reason}`);
  },
  refuseTable: refuseUndeclared,
  refuteDatasets: () => null,
  tasks: ({ runId, datasets }) => ({
    fit: [],
    synthesize: numbersAfter(0, datasets.count).map((dataset) => ({ step: 'draw', runId, dataset })),
    augment: [],
  }),
  steps: { draw: { run: drawDataset, units: () => 1 } },
  bytes: (run) => chainBytes(run, null),
  estimate: estimateCounts,
  describe: (plan) => ({ classes: null, classesReason: 'it has cells, and neither classes nor chains', alpha: plannedCount(plan) }),
};
