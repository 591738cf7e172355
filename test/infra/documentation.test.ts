import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WATCHED_CHANGES, type WatchedChange } from '../../infra/oversight/watched-changes.ts';
import { environmentFileSchema, readSettings } from '../../shared/contracts/cloud/environment-settings.ts';

const cloud = readFileSync('docs/how-to/cloud.md', 'utf8');
const runbook = readFileSync('docs/how-to/runbook.md', 'utf8');
const alarms = readFileSync('infra/constructs/run-alarms.ts', 'utf8');

const threats = readFileSync('docs/explanation/threat-model.md', 'utf8');

/** Rows of the table under a heading of a page, as cells without their backticks. */
function table(page: string, heading: string): string[][] {
  const section = page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', ''))
      .slice(1, -1),
  );
}

it('docs/how-to/cloud.md explains every setting, in order, with its default', () => {
  const rows = table(cloud, 'Settings');
  expect(rows.map(([name]) => name)).toEqual(Object.keys(environmentFileSchema.shape));
  const defaults = readSettings({}) as Record<string, unknown>;
  for (const [name, byDefault] of rows) {
    if (defaults[name!] !== undefined) expect(byDefault, name).toBe(typeof defaults[name!] === 'object' ? 'none' : String(defaults[name!]));
  }
});

it('docs/explanation/threat-model.md lists every change that is told, with what relies on it', () => {
  const listed = Object.entries<WatchedChange>(WATCHED_CHANGES).map(([name, { calls, relied, service }]) => [
    name,
    `${service}: ${calls.join(', ')}`,
    relied.replaceAll('`', ''),
  ]);
  expect(table(threats, 'Which changes are reported')).toEqual(listed);
});

it('docs/how-to/runbook.md says for every alarm what to do', () => {
  const raised = [...alarms.matchAll(/raise\('(\w+)'/g)].map(([, name]) => name);
  expect(raised.length).toBeGreaterThan(3);
  expect(
    table(runbook, 'Watch')
      .map(([name]) => name)
      .sort(),
  ).toEqual(raised.sort());
});

it('docs/how-to/runbook.md has a section for everything that an operator does', () => {
  const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    ...[
      'Deploy',
      'What only an account can show',
      'First run',
      'Watch',
      'Go on after a failure: resume and redrive',
      'Undelivered events',
      'What has decayed',
    ],
    'Raise quotas',
    ...['Rotate keys', 'When a key was lost to someone', 'Upgrade', 'End an environment for good'],
  ]);
});
