import { z } from 'zod';
import { agreedFigureSchema } from '../config/config.ts';

const positive = z.int().positive();

/** Base chains, and pairs of chains of each dataset, that a round's estimate rests on. */
export const roundChainsSchema = z.strictObject({
  round: positive,
  /** 0 where the model has no chains. */
  chains: z.int().nonnegative(),
  pairedChains: z.int().nonnegative(),
});

/**
 * Why no further round follows: the target was reached, the limit on chains allows none that would help, the
 * reproducibility is undefined, or no target was asked for.
 */
const outcomeSchema = z.enum(['reached', 'max-chains', 'undefined', 'not-asked']);

/** `rounds/<r>.json`: what a round came to. */
export const judgementSchema = z.strictObject({
  ...roundChainsSchema.shape,
  /** The figure on which two evaluations are to agree; the rank where no target was asked for. */
  of: agreedFigureSchema,
  /** Reproducibility that was asked for, or null. */
  target: z.number().nullable(),
  /** Spearman correlation expected between two evaluations with all chains of this round; null when undefined. */
  reproducibility: z.number().nullable(),
  /** The same between two evaluations that share their paired chains: what it lacks of 1 is the base chains'. */
  baseReproducibility: z.number().nullable(),
  /** Null when another round follows. */
  outcome: outcomeSchema.nullable(),
  /**
   * The step that would follow: with a target not yet reached, what should reach it; otherwise what should
   * halve the distance to 1. `work` is its cost as a multiple of all chains of this round. Null when undefined.
   */
  next: z
    .strictObject({
      chains: positive,
      pairedChains: positive,
      reproducibility: z.number(),
      work: z.number().nonnegative(),
    })
    .nullable(),
});

/** Chains of a round. */
export type RoundChains = z.infer<typeof roundChainsSchema>;
/** What a round came to. */
export type Judgement = z.infer<typeof judgementSchema>;
