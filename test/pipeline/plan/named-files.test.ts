import { expect, it } from 'vitest';
import { type Config, configSchema } from '../../../shared/contracts/config/config.ts';
import { refuseFilesOfRun } from '../../../shared/pipeline/plan/named-files.ts';

const configOf = (scenario: object): Config => configSchema.parse({ attributeRisk: { scenarios: [{ name: 'one', ...scenario }] } });

it('refuses files that a run kept digests of alone, and nothing else', () => {
  const ofRun = { config: configOf({ knows: { file: 'known digest' }, prior: { file: 'prior digest' } }) };
  const refusal = (scenario: object) => () => refuseFilesOfRun(configOf(scenario), ofRun, 'runs/a');
  expect(refusal({ knows: { file: 'known digest' } })).toThrow(expect.objectContaining({ code: 'other-known-records' }));
  expect(refusal({ prior: { file: 'prior digest' } })).toThrow(expect.objectContaining({ code: 'other-prior' }));
  expect(refusal({ knows: { file: 'known.csv' }, prior: { file: 'prior.csv' } })).not.toThrow();
  expect(refusal({})).not.toThrow();
});
