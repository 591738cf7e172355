import { expect, it } from 'vitest';
import { configOf } from '../../../page/engine/chosen.ts';
import { reportInPage } from '../../../page/engine/report-in-page.ts';
import { SynthriskError } from '../../../shared/contracts/errors.ts';

it('names no flags of the command line where an earlier run cannot be assessed', () => {
  const chosen = { name: 'table.csv', table: new Uint8Array(), settings: '', files: new Map(), synthetic: [] };
  const earlier = { name: 'first', plan: { purpose: 'evaluate', config: { model: { name: 'cart' } } } };
  let refused: unknown;
  try {
    configOf(chosen, earlier as unknown as NonNullable<Parameters<typeof configOf>[1]>);
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(SynthriskError);
  const { message } = reportInPage(refused as SynthriskError);
  expect(message).toContain('The run in first is of the model cart');
  expect(message).toMatch(/^(?!.*--).*settings that made them, and the command identify/);
});
