import { expect, it } from 'vitest';
import { releaseNotes } from '../../packages/release-notes.ts';

const CHANGES = '# Changes\n\n## [Unreleased]\n\n- Faster.\n\n## [0.2.0] - 2026-01-02\n\n- A page.\n\n## [0.1.0] - 2026-01-01\n\n';

it('a release says what changed in it, and the digest of each file', () => {
  expect(releaseNotes(CHANGES, '0.2.0', 'aa  page.html\nbb  package.tgz\n')).toBe(
    '# synthrisk 0.2.0\n\n- A page.\n\n## Files\n\n| file | SHA-256 |\n| --- | --- |\n| `page.html` | `aa` |\n| `package.tgz` | `bb` |\n',
  );
});

it('what is built before its release has the changes since the last one', () => {
  for (const version of ['0.1.0', '0.3.0']) expect(releaseNotes(CHANGES, version, 'aa  page.html\n')).toContain('- Faster.');
  expect(() => releaseNotes('# Changes\n', '0.3.0', '')).toThrow('says nothing of 0.3.0');
});
