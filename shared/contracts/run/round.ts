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
  of: agreedFigureSchema.describe('On which figure two evaluations are to agree: `rank` (also without a target) or `probability`.'),
  target: numberOrNull.describe('The reproducibility that was asked for, or null.'),
  reproducibility: numberOrNull.describe('Spearman correlation expected between two evaluations; null when undefined.'),
  baseReproducibility: numberOrNull.describe('The same where they share their paired chains: what it lacks of 1 is the base chains’.'),
  outcome: outcomeSchema
    .nullable()
    .describe('Why no round follows: `reached`, `max-chains`, `undefined`, `not-asked`; null where one does.'),
  next: z
    .strictObject({
      chains: positiveInteger.describe('Base chains.'),
      pairedChains: positiveInteger.describe('Pairs of chains of each dataset.'),
      reproducibility: number.describe('What is expected between two evaluations with all chains of the round; null when undefined.'),
      work: nonNegative.describe('Its cost, as a multiple of all chains of this round.'),
    })
    .nullable()
    .describe('The next step: what should reach the target, or else halve the distance to 1; null when undefined.'),
});

/** Chains of a round. */
export type RoundChains = z.infer<typeof roundChainsSchema>;
/** What a round came to. */
export type Judgement = z.infer<typeof judgementSchema>;
