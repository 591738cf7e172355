import * as z from 'zod';
import { openShare, positiveInteger } from '../number-schemas.ts';
import { names } from './identification-scenario.ts';

/** A symmetric relative error, which is below 2. */
export const relativeErrorSchema = z.number().gt(0).lt(2);

/** What other tools measure of a release (docs/explanation/compared.md). */
export const attackSettingsSchema = z
  .strictObject({
    keys: names.default([]).describe('Variables that an intruder knows of a person'),
    target: names.default([]).describe('Variables that they want to learn, each by itself'),
    attempts: positiveInteger.default(500).describe('Attempts of each of the attacks of Anonymeter, on each dataset'),
    columns: positiveInteger.default(3).describe('Variables of a query that singles out by several (Anonymeter: n_cols)'),
    linkability: z
      .tuple([names.min(1), names.min(1)])
      .optional()
      .describe('Variables of the two files that are linked by way of a dataset (default: the keys, and all others)'),
    bands: positiveInteger
      .min(2)
      .default(5)
      .describe('Bands of about equal numbers of records of a continuous variable that is a key or a target'),
    samplingFraction: openShare
      .optional()
      .describe(
        'Share of the population that the table is a sample of, for individual risk, DIS scores and population uniqueness (default: none, individual risk is then 1 by the records that share the keys, and the others take 0.01 as sdcMicro and riskutility do)',
      ),
    subsetSize: positiveInteger
      .optional()
      .describe('Keys of a minimal sample unique at most (default: all, or as many as can be looked through)'),
    records: positiveInteger
      .min(100)
      .default(10_000)
      .describe('Records, drawn by chance, whose closest records are sought and whose targets are predicted, where a file has more'),
    rapidThreshold: openShare
      .optional()
      .describe('Normalized gain above which a record is at risk by RAPID, for categorical targets (default: 0.3)'),
    rapidTolerance: relativeErrorSchema
      .optional()
      .describe('Symmetric relative error below which a record is at risk by RAPID, for continuous targets (default: 0.1)'),
  })
  .describe('What `attack` measures; no other command reads it');

/** What other tools measure where nothing is asked for. */
export const ATTACK_DEFAULTS = attackSettingsSchema.parse({});

/** What `attack` measures. */
export type AttackSettings = z.output<typeof attackSettingsSchema>;
