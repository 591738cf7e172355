import * as z from 'zod';
import { count, nonNegativeOrNull, positiveInteger, shareOrNull } from '../number-schemas.ts';
import { runId, version } from '../shared-fields.ts';
import { meanSchema, namedRiskSchema } from './named-risk.ts';

const remedySchema = z.strictObject({
  name: z.string().nullable().describe('Its folder; null: the run itself.'),
  setting: z.string().describe('What is different, in words.'),
  datasets: positiveInteger.describe('Synthetic datasets.'),
  chains: positiveInteger.describe('Base chains.'),
  pairedChains: count.describe('Pairs of chains of each dataset.'),
  combinations: positiveInteger.describe('Combinations of the fitted table.'),
  candidatesMax: positiveInteger.describe('Most candidates of a record.'),
  rankedReason: z.string().optional().describe('Why figures of candidates are null: none is guessed.'),
  probabilityMax: shareOrNull.describe('Largest posterior probability of the truth.'),
  informationBitsMax: nonNegativeOrNull.describe('Largest divergence of posterior from prior, bits.'),
  risk: namedRiskSchema.describe('By group of records.'),
  gainBitsChange: meanSchema.nullable().describe('Gain less that of the run itself.'),
});

/** `confidential/remedies.json` of the command `remedies`: ways to lower the risk of a run, side by side. */
export const remediesSchema = z.strictObject({
  version,
  runId,
  scenario: z.string().optional().describe('Of several scenarios, the one shown.'),
  ofRecords: z.boolean().optional().describe('Whether rows are records, else combinations.'),
  named: z.array(positiveInteger).describe('Numbers of the named combinations or records.'),
  remedies: z.array(remedySchema).min(1).describe('The run itself, then ways to lower its risk.'),
});

/** Ways to lower the risk of a run, side by side. */
export type Remedies = z.infer<typeof remediesSchema>;
/** One of them. */
export type RemedyRisk = Remedies['remedies'][number];

/** Whether candidates are ranked in any of the runs: where numbers alone are guessed at there are none. */
export const isComparedByRanks = (remedies: readonly RemedyRisk[]): boolean =>
  remedies.some(({ rankedReason }) => rankedReason === undefined);
