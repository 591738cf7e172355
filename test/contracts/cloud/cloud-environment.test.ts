import { expect, it } from 'vitest';
import { environmentSizeSchema, readSizeTags, sizeTags } from '../../../shared/contracts/cloud/cloud-environment.ts';

it('reads the size of an environment from the tags that tell it, beside tags of others', () => {
  const size = environmentSizeSchema.parse({
    ...{ engine: 'fargate', mapType: 'EXPRESS', mapConcurrency: 40, assessMemoryMiB: 1769, assessTimeoutSeconds: 90, stepMemoryMiB: 3008 },
    ...{ fitVcpu: 2, fitMemoryGiB: 8, fitTimeoutHours: 12, fitTasks: 'auto', fargateVcpu: 64, lookAhead: 'refuse', budgetDollars: 2.5 },
  });
  expect(readSizeTags({ ...sizeTags(size), team: 'statistics', 'aws:stack': 'x' })).toEqual(size);
  expect(readSizeTags({ engine: 'fargate' })).toBeNull();
});
