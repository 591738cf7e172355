import * as z from 'zod';
import { agreedFigureSchema } from '../config/config.ts';
import { count, nonNegative, number, numberOrNull, positiveInteger } from '../number-schemas.ts';

/** Base chains, and pairs of chains of each dataset, that a round's estimate rests on. */
const roundChainsSchema = z.strictObject({
  round: positiveInteger.describe('Number of the round, from 1.'),
  chains: count.describe('Base chains; 0 where the model has none.'),
  pairedChains: count.describe('Pairs of chains of each dataset.'),
});

/** Why no further round follows: `max-chains` where the limit on chains allows none that would help. */
const outcomeSchema = z.enum(['reached', 'max-chains', 'undefined', 'not-asked']);

/** `rounds/<r>.json`: what a round came to. */
export const judgementSchema = z.strictObject({
  ...roundChainsSchema.shape,
  of: agreedFigureSchema.describe('What evaluations are to agree on: `rank` or `probability`.'),
  target: numberOrNull.describe('The reproducibility asked for.'),
  reproducibility: numberOrNull.describe('Expected Spearman correlation between two evaluations.'),
  baseReproducibility: numberOrNull.describe('The same with shared paired chains: what it lacks of 1 is due to base chains.'),
  outcome: outcomeSchema.nullable().describe('Why no round follows: `reached`, `max-chains`, `undefined`, `not-asked`; null if one does.'),
  next: z
    .strictObject({
      chains: positiveInteger.describe('Base chains.'),
      pairedChains: positiveInteger.describe('Pairs of chains of each dataset.'),
      reproducibility: number.describe('Expected with all chains of the round.'),
      work: nonNegative.describe('Its cost, in multiples of this round’s.'),
    })
    .nullable()
    .describe('The next step.'),
});

/** Chains of a round. */
export type RoundChains = z.infer<typeof roundChainsSchema>;
/** What a round came to. */
export type Judgement = z.infer<typeof judgementSchema>;
