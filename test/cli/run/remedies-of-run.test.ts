import { expect, it } from 'vitest';
import { remediesOf } from '../../../cli/run/remedies-of-run.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';

it('takes fewer bands than the run has, and refuses to divide one of them', async () => {
  const config = configSchema.parse({ variables: { AGE: { breaks: [0, 40, 50, 60] } } });
  const [, fewer] = await remediesOf({ breaks: { AGE: [0, 50] } }, config);
  expect(fewer!.settings).toMatchObject({ variables: { AGE: { breaks: [0, 50] } } });
  await expect(remediesOf({ breaks: { AGE: [0, 45] } }, config)).rejects.toMatchObject({
    code: 'divided-bands',
    message: expect.stringContaining('(0, 40, 50, 60)'),
  });
});
