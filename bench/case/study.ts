/**
 * The worked case (docs/tutorial/worked-case.md): carries it out and writes the tables of its page.
 *
 *     npm run bench:case
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { insertTables } from '../../scripts/pages/insert-tables.ts';
import { caseTables } from './tables.ts';
import { carryOut, readCase } from './worked-case.ts';

const PAGE = 'docs/tutorial/worked-case.md';

const folder = mkdtempSync(join(tmpdir(), 'synthrisk-case-'));
try {
  carryOut(folder, fileURLToPath(new URL('./synthrisk.mjs', import.meta.url)));
  writeFileSync(PAGE, insertTables(readFileSync(PAGE, 'utf8'), caseTables(readCase(folder))));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
