import type { Config } from '../../../contracts/config/config.ts';
import { roundedTo } from '../../../contracts/continuous.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../../contracts/errors.ts';
import { inConfig, inList } from '../../../contracts/in-command.ts';
import { settingsOf } from '../../../contracts/models/models.ts';
import { mixedView, statesOf } from '../../../model/mixed/mixed-view.ts';
import type { Table } from '../../../table/table.ts';
import { chainTasks } from '../chains/chain-synthesizer.ts';
import { chainSteps } from '../chains/run-chains.ts';
import { skipNotice } from '../chains/skip-notice.ts';
import type { Synthesizer } from '../synthesizer.ts';
import { crowdedClasses } from './crowded-classes.ts';
import { estimateMixed } from './estimate-mixed.ts';
import { heapedNumbers } from './heaped-numbers.ts';
import { mixedBytes } from './mixed-bytes.ts';
import { openMixed } from './mixed-run.ts';

/** Values beside the masses at least: a variable of fewer is one of categories. A rule of thumb. */
const FEWEST_VALUES = 12;

/**
 * Holds the declarations of continuous variables to a table, which decides nothing of them.
 *
 * @throws InvalidConfigError `few-values`, `fewer-decimals`, and as `declaredContinuous` does
 */
function refuseMisdeclared({ variables }: Config, { schema, columns }: Table): void {
  for (const { variable, declared } of mixedView(schema, variables).continuous) {
    const { name } = schema.variables[variable]!;
    const column = columns[variable]!;
    const { masses, decimals } = declared;
    const values = column.type === 'continuous' ? column.values.filter((value) => !Number.isNaN(value)) : new Float64Array(0);
    const distinct = new Set(values.filter((value) => !masses.includes(value))).size;
    const place = { field: `variables.${name}` };
    if (distinct < FEWEST_VALUES) {
      throw new InvalidConfigError(
        'few-values',
        `variables.${name} has fewer than ${FEWEST_VALUES} distinct values${masses.length > 0 ? ' beside its masses' : ''}: too few for a density. Read them as categories: ${inConfig(name)}: { type: categorical } (--categorical ${inList(name)}).`,
        place,
      );
    }
    if (decimals > 0 && values.every((value) => roundedTo(decimals - 1, value) === value)) {
      throw new InvalidConfigError(
        'fewer-decimals',
        `variables.${name}: no value has as many as ${decimals} decimals, so that every released value with as many would show itself as synthetic. Declare fewer decimals.`,
        place,
      );
    }
  }
}

/** A Dirichlet process mixture of products of multinomials and normals. */
export const mixed: Synthesizer = {
  chains: {
    truncation: ({ model }) => settingsOf(model, 'mixed').classes,
    words: {
      classes: 'classes',
      modes: 'Chains of this model settle in modes of their own, and longer chains seldom help',
      unmixed: 'A longer burn-in (mcmc.burnIn) helps.',
    },
  },
  refusePurpose(purpose, { attributeRisk: { scenarios } }) {
    if (purpose !== 'calibrate' || scenarios.every(({ candidates }) => typeof candidates !== 'string')) return;
    throw new UnsupportedOptionError(
      'calibration-of-mixed',
      'Under the model mixed a calibration is of unknown variables: name a number, or categorical variables (attributeRisk.candidates: {unknown: [A]}, --unknown A).',
    );
  },
  refuseTable: refuseMisdeclared,
  notices: (config, table, support) => [
    ...crowdedClasses(config, table),
    ...heapedNumbers(config, table),
    ...skipNotice(config, table, support, statesOf(mixedView(table.schema, config.variables), table)),
  ],
  refuteDatasets: () => null,
  tasks: chainTasks,
  steps: chainSteps(openMixed),
  bytes: mixedBytes,
  estimate: estimateMixed,
  describe: ({ classes }) => ({ classes }),
};
