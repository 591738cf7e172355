import { z } from 'zod';

/** A number from 0. */
export const nonNegative = z.number().nonnegative();
/** Epsilon of differential privacy, in nats: positive and finite. */
export const epsilonSchema = z.number().positive();
/** A share of something, from 0 to 1. */
export const share = z.number().min(0).max(1);
/** A whole number from 1. */
export const positiveInteger = z.int().positive();
