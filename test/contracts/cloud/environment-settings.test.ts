import { expect, it } from 'vitest';
import { readSettings } from '../../../shared/contracts/cloud/environment-settings.ts';

it('names the setting that is wrong, or the context where there is no such setting', () => {
  expect(() => readSettings({ mapConcurrency: 'x' })).toThrow(/^mapConcurrency: /);
  expect(() => readSettings({ nothing: 1 })).toThrow(/^context: /);
});
