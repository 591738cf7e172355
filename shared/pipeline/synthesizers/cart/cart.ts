import type { Config } from '../../../contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../../contracts/errors.ts';
import { DECLARE_CANDIDATES, PROPER_TREES, withoutCandidates } from '../../../contracts/models/cart.ts';
import { settingsOf } from '../../../contracts/models/models.ts';
import type { TableSchema } from '../../../contracts/schema.ts';
import type { Synthesizer } from '../synthesizer.ts';
import { numbersAfter } from '../task-numbers.ts';
import { dropDataset } from './drop-dataset.ts';
import { estimateTrees } from './estimate-trees.ts';
import { growTree } from './grow-tree.ts';
import { refuteTrees } from './refute-trees.ts';
import { treeBytes } from './tree-bytes.ts';

/**
 * Refuses attribute risk that is asked for and cannot be measured.
 *
 * @throws InvalidConfigError `continuous-without-candidates`
 * @throws UnsupportedOptionError `proper-trees`
 */
function refuseCandidates(config: Config, schema: TableSchema): void {
  const asked =
    Object.values(config.variables).some(({ candidates }) => candidates !== undefined) ||
    config.attributeRisk.scenarios.some(({ candidates }) => candidates !== 'one-change');
  if (!asked) return;
  if (settingsOf(config.model, 'cart').proper) throw new UnsupportedOptionError('proper-trees', PROPER_TREES);
  const missing = withoutCandidates(config, schema);
  if (missing.length > 0) {
    throw new InvalidConfigError(
      'continuous-without-candidates',
      `Attribute risk is asked for, and ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} continuous and synthesized without candidates. ${DECLARE_CANDIDATES}`,
    );
  }
}

/** Sequential classification and regression trees (004 section 3): one tree a synthesized variable. */
export const cart: Synthesizer = {
  chains: null,
  refusePurpose(purpose) {
    if (purpose !== 'calibrate') return;
    throw new UnsupportedOptionError(
      'no-attribute-risk',
      'The attribute risk of trees is exact: it claims what it achieves, and there is nothing to calibrate. Evaluate the table.',
    );
  },
  refuseTable: (config, { schema }) => refuseCandidates(config, schema),
  refuteDatasets: refuteTrees,
  tasks({ runId, config, datasets }) {
    if (datasets.origin !== 'synthesized') return { fit: [], synthesize: [], augment: [] };
    // Proper synthesis grows trees of their own for each dataset.
    const { proper } = settingsOf(config.model, 'cart');
    return {
      fit: numbersAfter(0, proper ? 0 : config.synthesis.synthesized.length).map((place) => ({ step: 'grow', runId, place })),
      synthesize: numbersAfter(0, datasets.count).map((dataset) => ({ step: 'drop', runId, dataset })),
      augment: [],
    };
  },
  steps: { grow: { run: growTree, units: () => 1 }, drop: { run: dropDataset, units: () => 1 } },
  bytes: treeBytes,
  estimate: estimateTrees,
  describe: () => ({ classes: null, classesReason: 'they have leaves, and neither classes nor chains' }),
};
