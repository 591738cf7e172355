import type { TopLevelSpec } from 'vega-lite';
import { DEFAULT_SWEEP_RADII } from '../../shared/contracts/config/identification-scenario.ts';
import { type Reading, SCENARIOS } from './scenarios.ts';

/** One of the charts of a figure. */
export type Panel = Extract<TopLevelSpec, { hconcat: unknown }>['hconcat'][number];

/** One of the layers of a chart. */
export type Layer = Extract<TopLevelSpec, { layer: unknown }>['layer'][number];

/** The title of an axis of file-level risk. */
export const RISK = 'Mean risk of a record';

/** The radii in percent. */
export const RADII = DEFAULT_SWEEP_RADII.map((radius) => `${100 * radius}`);

/** The scenarios as Hornby & Hu (2021) number them. */
export const NUMBERS = SCENARIOS.map((_, scenario) => `(${scenario + 1})`);

/** The readings, for the titles of charts. */
export const IN_WORDS: Readonly<Record<Reading, string>> = { none: 'no kept variable predicts', kept: 'kept variables predict' };

/** The title of a chart. */
export const title = (text: string) => ({ text, anchor: 'start' as const, fontSize: 12, fontWeight: 600 as const });
