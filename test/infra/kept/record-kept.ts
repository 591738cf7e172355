// Writes what keeps data in the environments of this version, to which later versions are held: part of each release.
import { writeFileSync } from 'node:fs';
import { VERSION } from '../../../shared/contracts/version.ts';
import { allKept } from './kept-resources.ts';

writeFileSync(`test/infra/kept/versions/${VERSION}.json`, `${JSON.stringify(allKept(), null, 2)}\n`);
