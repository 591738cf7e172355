import * as z from 'zod';

/** Any number. */
export const number = z.number();
/** A number, or null where it is not known or defined. */
export const numberOrNull = number.nullable();
/** A number from 0. */
export const nonNegative = z.number().nonnegative();
/** A number from 0, or null. */
export const nonNegativeOrNull = nonNegative.nullable();
/** Epsilon of differential privacy, in nats: positive and finite. */
export const epsilonSchema = z.number().positive();
/** A share of something, from 0 to 1. */
export const share = z.number().min(0).max(1);
/** A share that is neither 0 nor 1. */
export const openShare = z.number().gt(0).lt(1);
/** A share, or null. */
export const shareOrNull = share.nullable();
/** A whole number from 0. */
export const count = z.int().nonnegative();
/** A whole number from 1. */
export const positiveInteger = z.int().positive();

/** A number that shows how others differ: of chains, or of the targets of a calibration. */
export const severalOf = z.int().min(2);
/** How many draws are kept of a chain. */
export const drawCount = z.int().min(4);
/** So many times something, at least once. */
export const timesOf = z.number().gte(1);
/** A power of the likelihood. */
export const likelihoodPower = z.number().positive().max(1_000);

/** How many latent classes a model has at most: which of them a record is in is kept in 16 bits. */
export const latentClasses = positiveInteger.max(65_535);
