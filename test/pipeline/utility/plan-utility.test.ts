import { expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { planUtility } from '../../../shared/pipeline/utility/plan-utility.ts';

it('names the variables that all datasets keep, where the synthesized ones are not named', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const noticesOf = async (dataset: string, synthesis = {}) => {
    const config = configSchema.parse({ synthesis });
    const datasets = [{ name: 'd1.csv', read: async () => bytes(dataset) }];
    return (await planUtility({ config, table: async () => bytes('a,b,c\n1,x,1\n2,y,2\n2,x,1\n'), datasets })).notices;
  };
  expect(await noticesOf('a,b,c\n1,y,1\n2,x,2\n2,x,1\n')).toEqual([
    'kept row by row in every dataset, so that the program assumes row i to be record i: a, c',
  ]);
  expect(await noticesOf('a,b,c\n1,y,1\n2,x,2\n2,x,1\n', { synthesized: ['b'] })).toEqual([]);
  expect(await noticesOf('a,b,c\n2,y,2\n1,x,1\n')).toEqual([]);
});

it('does not take rows for those of the records because a column has one value', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const config = configSchema.parse({ variables: { year: { categories: ['2025', '2026'] } } });
  const table = async () => bytes('year,a\n2026,1\n2026,2\n2026,1\n');
  const datasets = [{ name: 'd1.csv', read: async () => bytes('year,a\n2026,2\n2026,1\n2026,1\n') }];
  const { opened, notices } = await planUtility({ config, table, datasets });
  expect([opened.kind, notices]).toEqual(['full', []]);
});
