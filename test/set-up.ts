import fc from 'fast-check';
// Once in a process, not before each file.
import './equal-bytes.ts';

// Tests of properties draw the same examples in every run, so that what passed once passes again; PROPERTY_SEED=2 draws others.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
