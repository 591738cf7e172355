import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FIELDS_PAGE, renderFields } from './fields-page.ts';

mkdirSync(dirname(FIELDS_PAGE), { recursive: true });
writeFileSync(FIELDS_PAGE, renderFields());
