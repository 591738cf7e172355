import { scoresCells } from '../../contracts/candidates.ts';
import type { Config } from '../../contracts/config/config.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import { cells } from './cells.ts';
import { counted, countedCells } from './counted.ts';
import { grown } from './grown.ts';
import { mixed } from './mixed.ts';
import type { RiskMethod } from './risk-method.ts';
import { sampled } from './sampled.ts';

/** The methods of a model: where candidates are listed one by one, and where they are all cells. */
const METHODS = {
  sampled: { listed: sampled, cells },
  densities: { listed: mixed, cells: mixed },
  counted: { listed: counted, cells: countedCells },
  grown: { listed: grown, cells: grown },
} as const;

/** Models with densities are sampled as others are, and have candidates of their own. */
const methodsOf = (model: Config['model']) => {
  const { method, offers } = factsOf(model);
  return METHODS[offers.includes('densities') ? 'densities' : method];
};

/** How the risk of a run's rows is found under one of its scenarios. */
export const methodOf = ({ model }: Config, { candidates }: Pick<Scenario, 'candidates'>): RiskMethod =>
  methodsOf(model)[scoresCells(candidates) ? 'cells' : 'listed'];

/** What the methods of a run make a reader look at, whatever the scenario. */
export const remarksOf = ({ model }: Config): RiskMethod['remarks'] => (methodsOf(model).listed as RiskMethod).remarks;
