/**
 * Broken files at the doors of the program, as many as wished:
 *
 *     npm run fuzz -- [--cases N] [--seed N] [DOOR...]
 *
 * A file that is met wrongly is left in a temporary folder; the exit code is 1.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { hostileFile, mistakeAt } from './door.ts';
import { DOORS } from './doors.ts';

const { values, positionals } = parseArgs({
  options: { cases: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => DOORS.every((door) => door.name !== name));
if (unknown.length > 0)
  throw new RangeError(`no door is named ${unknown.join(', ')}: there are ${DOORS.map(({ name }) => name).join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'synthrisk-fuzz-'));
for (const door of DOORS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const began = performance.now();
  const path = join(folder, door.name);
  const { failed, counterexample, numRuns } = await fc.check(
    fc.asyncProperty(hostileFile(door), async (bytes) => {
      // Before it is met, so that one that ends the process or never comes back is there too.
      writeFileSync(path, bytes);
      return (await mistakeAt(door, bytes)) === null;
    }),
    { numRuns: Number(values.cases), seed: Number(values.seed) },
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${door.name}: ${numRuns} files, ${seconds} s\n`);
  if (!failed) continue;
  const [bytes] = counterexample!;
  writeFileSync(path, bytes);
  process.stdout.write(`${path}: ${await mistakeAt(door, bytes)}\n`);
  process.exitCode = 1;
}
