import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Page, readPage } from './page-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Pages that a reader follows, from the front page on, as paths in the repository. */
export const FOLLOWED_PAGES = [
  'README.md',
  ...['docs/tutorial', 'docs/how-to'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)),
  'docs/reference/api.md',
];

/** Text of a page. */
export const pageText = (name: string): string => readFileSync(join(root, name), 'utf8');

/** A page as it is tested. */
export const followedPage = (name: string): Page => readPage(pageText(name));
