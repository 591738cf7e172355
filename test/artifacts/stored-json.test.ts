import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { encodeJson, parseArtifact } from '../../shared/artifacts/stored-json.ts';
import { ArtifactError, PUT_BACK, RunConflictError } from '../../shared/contracts/errors.ts';
import { VERSION } from '../../shared/contracts/version.ts';

const schema = z.strictObject({ version: z.string(), risk: z.number() });
const failureOf = (value: unknown, contract: z.ZodType = schema) => {
  try {
    return parseArtifact(encodeJson(value), 'runs/a/summary.json', contract);
  } catch (error) {
    return error;
  }
};

describe('parseArtifact()', () => {
  it('reads what fits, whichever version wrote it', () => {
    expect(failureOf({ version: '0.1.0', risk: 1 })).toEqual({ version: '0.1.0', risk: 1 });
  });

  it('names the version that wrote what it does not read', () => {
    const refused = failureOf({ version: '0.1.0' });
    expect(refused).toBeInstanceOf(RunConflictError);
    expect(refused).toMatchObject({ code: 'other-version', exitCode: 2 });
    expect((refused as Error).message).toContain(`Version 0.1.0 made this run, and this is ${VERSION}`);
  });

  it('tells where a document of its own version is damaged, of many places the first five', () => {
    expect(failureOf({ version: VERSION })).toMatchObject({
      code: 'malformed-artifact',
      message: `runs/a/summary.json is damaged at risk. ${PUT_BACK}`,
    });
    const wide = z.strictObject(Object.fromEntries([...'abcdefg'].map((name) => [name, z.number()])));
    const damaged = failureOf({}, wide);
    expect(damaged).toBeInstanceOf(ArtifactError);
    expect((damaged as Error).message).toMatch(/at a, b, c, d, e and 2 more places\. Put it back from a copy/);
  });

  it('takes no other text for a version', () => {
    expect(failureOf({ version: 'x' })).toMatchObject({ code: 'malformed-artifact' });
    expect(failureOf(null)).toMatchObject({ code: 'malformed-artifact' });
  });
});
