import { expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { describeTable } from '../../../shared/table/describe/describe-table.ts';
import { configText, suggestConfig } from '../../../shared/table/describe/suggest-config.ts';

const RECORDS = 60;
/** Thousands with points and spellings of one text; rows number the records. */
const rows = Array.from({ length: RECORDS }, (_, i) =>
  [i, `1.${100 + i}.000`, i < 50 ? i + 1 : '?', i < 5 ? 'low' : i < 20 ? ' Mid' : i < 50 ? 'mid' : 'top', 'one', i % 3].join(';'),
);
const bytes = new TextEncoder().encode(`id;pay;age;work;place;sex\n${rows.join('\n')}\n`);
const config = configSchema.parse({ table: 'a.csv' });
const column = async (name: string) => (await describeTable(bytes, config)).columns.find((one) => one.name === name)!;

it('shows commonest values first, and what to write of each column', async () => {
  const work = await column('work');
  expect(work.commonest).toEqual([
    { value: 'mid', count: 30 },
    { value: ' Mid', count: 15 },
    { value: 'top', count: 10 },
    { value: 'low', count: 5 },
  ]);
  expect(work.notices).toMatchObject([{ code: 'spelling-variants', write: ['variables: { "work": { merge: {"mid":[" Mid"]} } }'] }]);
  expect((await column('place')).notices).toMatchObject([{ code: 'single-category', refused: true, write: ['--drop place'] }]);
  expect((await column('pay')).notices).toMatchObject([
    { code: 'thousands-separator', refused: true, write: ['--thousands "." --decimal-comma', '--categorical pay'] },
  ]);
});

it('notices a mark among fifty numbers, which a run could still read as categories', async () => {
  expect((await column('age')).notices).toMatchObject([{ code: 'marked-numbers', refused: false }]);
});

it('suggests a config of which each line is said why', async () => {
  const text = configText(await suggestConfig(bytes, config), { file: 'a.yaml', table: 'a.csv', others: {} });
  expect(text).toMatchInlineSnapshot(`
    "# How synthrisk reads this table. Look through it, change what is wrong, then run:
    #   synthrisk evaluate --config a.yaml
    table: "a.csv"

    # How the table writes numbers.
    numbers: { decimal: ",", thousands: "." }

    variables:
      # Column \`id\` has another value in nearly every record, as an identifier has. As a variable it would make every
      # record unique. Drop it, or keep it on purpose.
      id: { drop: true }
      # Bands begin at rounded quantiles of the table. Put limits in their place that you publish anyway: a release
      # shows them.
      # To have wrong codes found, add the lowest and the highest value of the questionnaire: range: [0, 120].
      pay: { breaks: [0, 1110000, 1120000, 1130000, 1140000, 1150000] }
      # These codes seem to stand for missing values: take away those that do not.
      age: { missingCodes: ["?"] }
      # Some categories of \`work\` differ only in upper case, spaces or the encoding of accents (Unicode NFC, NFD), as
      # Male and male do. Merge them in the config (variables: { work: { merge: { ... } } }); \`plan --describe\` shows
      # them.
      # Every record has the same value, which leaves nothing to guess.
      place: { drop: true }

    # Missing values: a category of their own, or left to the model (impute).
    synthesis: { missing: "category" }

    # A first look. Take this line away for an evaluation to rely on: chains are then added until ranks agree.
    mcmc: { precision: quick }
    "
  `);
});
