import { type Config, scoresCells } from '../../contracts/config/config.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import { cells } from './cells.ts';
import { counted } from './counted.ts';
import { grown } from './grown.ts';
import type { RiskMethod } from './risk-method.ts';
import { sampled } from './sampled.ts';

const METHODS = { sampled, counted, grown, cells } as const;

/** How the risk of a run's rows is found under one of its scenarios: as its model has it, and of chains by its candidates. */
export function methodOf({ model }: Config, { candidates }: Scenario): RiskMethod {
  const { method } = factsOf(model);
  return METHODS[method === 'sampled' && scoresCells(candidates) ? 'cells' : method];
}
