import { describe, expect, it } from 'vitest';
import {
  ArtifactError,
  InvalidConfigError,
  InvalidTableError,
  NumericalError,
  RunConflictError,
  reviveError,
  type SynthriskError,
  UnsupportedOptionError,
} from '../../shared/contracts/errors.ts';

const NAMED: { NamedError: new (code: string, message: string) => SynthriskError; exitCode: number }[] = [
  { NamedError: InvalidTableError, exitCode: 2 },
  { NamedError: InvalidConfigError, exitCode: 2 },
  { NamedError: UnsupportedOptionError, exitCode: 2 },
  { NamedError: RunConflictError, exitCode: 2 },
  { NamedError: NumericalError, exitCode: 3 },
  { NamedError: ArtifactError, exitCode: 3 },
];

describe('reviveError()', () => {
  it.each(NAMED)('gives back a $NamedError.name that crossed as JSON', ({ NamedError, exitCode }) => {
    const error = new NamedError('a-code', 'row 3, column 2: expected a category');
    const { name, code, message } = error;
    const revived = reviveError(JSON.parse(JSON.stringify({ name, code, message })));
    expect(revived).toBeInstanceOf(NamedError);
    expect(revived).toMatchObject({ name: NamedError.name, code, message, exitCode });
  });

  it('refuses a name that is none of them', () => {
    expect(() => reviveError({ name: 'TypeError', code: 'a', message: 'b' })).toThrow(RangeError);
  });
});
