import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../cli/print/print-failure.ts';
import { ArtifactError } from '../../../shared/contracts/errors.ts';

describe('failureOf()', () => {
  const error = new ArtifactError('artifact-not-found', 'No artifact at runs/0123456789abcdef/table/counts.npy');

  it('names a file from the folder of its run on, which the user has called something else', () => {
    expect(failureOf(error, 'synthrisk report')).toEqual({
      code: 'artifact-not-found',
      message: 'No artifact at table/counts.npy',
      hint: 'The file is named from the folder of the run on.',
      exitCode: 3,
    });
  });

  it('leaves the key of an object in a bucket, and what names no file', () => {
    expect(failureOf(error, 'synthrisk cloud fetch').message).toBe(error.message);
    const other = new ArtifactError('not-assessed', 'Nothing is assessed yet.');
    expect(failureOf(other, 'synthrisk report')).toEqual({ code: 'not-assessed', message: 'Nothing is assessed yet.', exitCode: 3 });
  });
});
