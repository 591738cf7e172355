import * as z from 'zod';
import { count, nonNegativeOrNull, positiveInteger, shareOrNull } from '../number-schemas.ts';
import { runId, version } from '../shared-fields.ts';
import { meanSchema, namedRiskSchema } from './named-risk.ts';

const remedySchema = z.strictObject({
  name: z.string().nullable().describe('Name of its folder; null of the run itself.'),
  setting: z.string().describe('What is different, in words.'),
  datasets: positiveInteger.describe('Synthetic datasets.'),
  chains: positiveInteger.describe('Base chains.'),
  pairedChains: count.describe('Pairs of chains of each dataset.'),
  combinations: positiveInteger.describe('Combinations of the fitted table.'),
  candidatesMax: positiveInteger.describe('Candidates of a record at most.'),
  rankedReason: z.string().optional().describe('Why figures of candidates are null: no categorical variable is guessed at.'),
  probabilityMax: shareOrNull.describe('Largest probability of the truth; null, with `rankedReason`, where no candidates are ranked.'),
  informationBitsMax: nonNegativeOrNull.describe('Largest change in the intruder’s probabilities, bits; null likewise.'),
  risk: namedRiskSchema.describe('Of the file, of the named combinations or records and of all others.'),
  gainBitsChange: meanSchema
    .nullable()
    .describe('Gain less that of the run itself, with the error of both; null where one is not measured.'),
});

/** `confidential/remedies.json` of the command `remedies`: ways to lower the risk of a run, side by side. */
export const remediesSchema = z.strictObject({
  version,
  runId,
  scenario: z.string().optional().describe('Of several scenarios, the one of which all figures are.'),
  ofRecords: z
    .boolean()
    .optional()
    .describe('Whether rows are records, each by itself, as where variables are kept or continuous; else they are combinations.'),
  named: z.array(positiveInteger).describe('Numbers of the combinations in the table of the run itself, or of its records.'),
  remedies: z.array(remedySchema).min(1).describe('The run itself first, and ways to lower its risk.'),
});

/** Ways to lower the risk of a run, side by side. */
export type Remedies = z.infer<typeof remediesSchema>;
/** One of them. */
export type RemedyRisk = Remedies['remedies'][number];

/** Whether candidates are ranked in any of the runs: where numbers alone are guessed at there are none. */
export const isComparedByRanks = (remedies: readonly RemedyRisk[]): boolean =>
  remedies.some(({ rankedReason }) => rankedReason === undefined);
