import { expect, it } from 'vitest';
import { membershipDiffers, rulesTruthsOut, untrustedReason } from '../../../shared/contracts/settings/trusted-figures.ts';
import { reportInput } from '../../report/fixture.ts';

it('takes membership for another than it claims to be where the interval of its power has no 1, but for intruders who know less', () => {
  const [risk] = reportInput().summary.attributeRisk;
  const ofPower = (power: number) => ({
    ...risk!,
    membership: { ...risk!.membership!, power, powerSimulationSe: 0.01, powerReleaseSe: 0.01 },
  });
  expect(membershipDiffers(ofPower(1.02))).toBe(false);
  expect(membershipDiffers(ofPower(1.5))).toBe(true);
  expect(membershipDiffers(ofPower(0.5))).toBe(true);
  expect(membershipDiffers({ ...ofPower(0.5), knows: 'nothing' })).toBe(false);
  expect(membershipDiffers({ ...risk!, membership: null })).toBe(false);
});

it('relies on no simulated figure where a thousandth of the true values is ruled out', () => {
  const [risk] = reportInput().summary.attributeRisk;
  const of = (ruledOutShare: number | null | undefined, changes: object = {}) => ({
    ...risk!,
    ruledOutShare,
    gainBitsExcess: 0,
    ...changes,
  });
  expect(rulesTruthsOut(of(0.001))).toBe(true);
  expect([0.0009, null, undefined].map((share) => rulesTruthsOut(of(share)))).toEqual([false, false, false]);
  expect(rulesTruthsOut(of(0.5, { estimator: 'exact' }))).toBe(false);
  expect(untrustedReason(of(0.001), {})).toContain('a million times less probable');
  expect(untrustedReason(of(0), {})).toBeNull();
});

it('says of a claim that is too large whether answers that nobody can give are the reason', () => {
  const [risk] = reportInput().summary.attributeRisk;
  const claimsTooMuch = { ...risk!, gainBitsExcess: 0.3, gainBitsExcessSe: 0.05, gainBitsExcessHalfWidth: 0.1 };
  const skips = [{ code: 'skip-patterns', message: '' }] as const;
  expect(untrustedReason(claimsTooMuch, {})).toContain('different fits of the table');
  expect(untrustedReason(claimsTooMuch, { warnings: [...skips] })).toContain('combinations that no record has');
  expect(untrustedReason({ ...claimsTooMuch, gainBitsExcess: -0.3 }, { warnings: [...skips] })).toContain('reveals more');
});
