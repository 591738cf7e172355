import { describe, expect, it } from 'vitest';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';

describe('settings that no longer exist are refused with what to do instead', () => {
  const search = { search: 2000 };

  it.each([
    [
      'attributeRisk.candidates',
      { attributeRisk: { candidates: search } },
      /`search` no longer exist: use `all-cells`.*unknown: \[A, B\].*merge/,
    ],
    ['attributeRisk.candidates', { attributeRisk: { candidates: 'search' } }, /`search` no longer exist/],
    [
      'attributeRisk.candidates',
      { attributeRisk: { scenarios: [{ name: 'a' }, { name: 'b', candidates: search }] } },
      /`search` no longer exist/,
    ],
    [
      'synthesis.leaveOut',
      { synthesis: { leaveOut: [3, 17] } },
      /^synthesis\.leaveOut no longer exists: delete those records from the file.*evaluate what is left/,
    ],
  ])('%s in %j', (field, settings, message) => {
    const refused = expect.objectContaining({
      code: 'retired-setting',
      exitCode: 2,
      where: { field },
      message: expect.stringMatching(message),
    });
    expect(() => completeConfig(settings)).toThrow(refused);
  });

  it('tells no number that was left out', () => {
    expect(() => completeConfig({ synthesis: { leaveOut: [41] } })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('41') }),
    );
  });

  it('but not what is there', () => {
    expect(() => completeConfig({ attributeRisk: { candidates: 'all-cells' } })).not.toThrow();
  });
});
