import { describe, expect, it } from 'vitest';
import { reachingTests } from './reaching-tests.ts';

const sources = new Map([
  ['shared/risk/one/a.ts', ''],
  ['shared/risk/two/b.ts', "import { a } from '../one/a.ts';"],
  ['shared/pipeline/run.ts', "import { b } from '../risk/two/b.ts';"],
  ['test/risk/one/a.test.ts', "import { type A, a } from '../../../shared/risk/one/a.ts';"],
  ['test/risk/one/far.test.ts', "import {\n  run,\n} from '../../../shared/pipeline/run.ts';"],
  ['test/risk/two/a.test.ts', "import { a } from '../../../shared/risk/one/a.ts';"],
  ['test/risk/two/b.test.ts', "import { b } from '../../../shared/risk/two/b.ts';"],
  ['test/pipeline/run.test.ts', "import { a } from '../../shared/risk/one/a.ts';"],
  ['test/risk/one/types.test.ts', "import type { A } from '../../../shared/risk/one/a.ts';"],
  ['test/risk/one/program.test.ts', "import { spawn } from 'node:child_process';\nimport { a } from '../../../shared/risk/one/a.ts';"],
]);

describe('reachingTests()', () => {
  it('finds tests of the same name however far they import what is changed, and those beside that import it themselves', () => {
    expect(reachingTests(sources, 'shared/risk/one')).toEqual([
      'test/risk/one/a.test.ts',
      'test/risk/two/a.test.ts',
      'test/risk/one/far.test.ts',
    ]);
  });

  it('finds all that come to it in so many steps', () => {
    expect(reachingTests(sources, 'shared/risk/one', 1)).toContain('test/pipeline/run.test.ts');
    expect(reachingTests(sources, 'shared/risk/one', 1)).not.toContain('test/risk/two/b.test.ts');
    expect(reachingTests(sources, 'shared/risk/one/a.ts', 2)).toContain('test/risk/two/b.test.ts');
  });
});
