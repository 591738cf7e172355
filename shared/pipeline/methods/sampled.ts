import { readDatasetSums } from '../../artifacts/stored-part.ts';
import { attributeRisk } from '../../risk/attribute/attribute-risk.ts';
import { simulatedFigures, summarizeAttributeRisk } from '../../risk/attribute/attribute-summary.ts';
import { releaseErrors } from '../../risk/attribute/release-figures.ts';
import { separateDatasets, separateFigures } from '../../risk/attribute/separate-datasets.ts';
import { estimatorTerms } from '../assess/estimator-terms.ts';
import { readRiskRows } from '../assess/risk-rows.ts';
import { chainsNeeded } from '../rounds/chains-needed.ts';
import { lesserChains } from '../rounds/lesser-chains.ts';
import { listedBytes, riskRequest, rowsWithin } from './listed-batches.ts';
import type { RiskMethod } from './risk-method.ts';

/** Candidates that are listed one by one, scored under every draw of the chains. */
export const sampled: RiskMethod = {
  refuse: () => undefined,
  batchBytes: (plan, _, scenario) => listedBytes(plan, scenario),
  batchRows: (plan, _, scenario, wanted) => rowsWithin(listedBytes(plan, scenario), wanted),
  units(plan, { knows }, numbers) {
    const { base, pairs, sides } = chainsNeeded(plan, numbers);
    return knows ? lesserChains(plan, numbers, [knows]) : base + pairs * sides.length;
  },
  async assess(store, context, range, onUnit) {
    const rows = await readRiskRows(store, context, range);
    const found = await estimatorTerms(store, context, range.chains, rows.scorers, onUnit);
    const request = riskRequest(context, rows, found);
    return { risk: attributeRisk(request), ...(context.scenario.knows ? { datasetSums: separateDatasets(request) } : {}) };
  },
  readBeside: async () => null,
  async summarize(store, { scenario, records }, { round, risk, counts, candidates, paretoKThreshold }) {
    const file = summarizeAttributeRisk(risk, counts, candidates);
    return {
      by: 'sampled',
      file,
      release: releaseErrors(risk, counts),
      simulation: simulatedFigures(risk, counts, file, paretoKThreshold, 'all'),
      separate: scenario.knows ? separateFigures(await readDatasetSums(store, scenario, round), records) : null,
    };
  },
};
