import { lexer, type Token, walkTokens } from 'marked';

/**
 * How a block of a page is tested. Shell blocks without a marker are run as they stand. Others have a comment before them,
 * `<!-- test: HOW -->`:
 *
 * - `exit 4`: run, and the last command ends with this code, as the page says
 * - `small`: run with few and short chains, where the page's own would take minutes; may be followed by `exit N`
 * - `languages`: run by `npm run test:languages`, which has R and Polars
 * - `emulated`: run by `npm run test:localstack`, which has an emulated account
 * - `parsed, WHY`: not run; every command in it is held to the command line, to package.json, or to the programs that may be
 *   called at all
 */
export type Manner = 'run' | 'small' | 'languages' | 'emulated' | 'parsed';

/** A block of a page that is code. */
export interface Block {
  /** Line of the page at which it begins, from 1. */
  readonly line: number;
  /** `sh` of indented blocks; else what the fence names, empty where it names nothing. */
  readonly language: string;
  readonly text: string;
  readonly manner: Manner;
  /** Exit code of its last command. */
  readonly exit: number;
}

/** A page as it is tested. */
export interface Page {
  readonly blocks: readonly Block[];
  /** Short code within sentences. */
  readonly quoted: readonly string[];
  /** Files that the page takes for the reader's own (`<!-- test: table.csv is household.csv -->`): the example that stands in. */
  readonly given: Readonly<Record<string, string>>;
}

const MARKER = /^<!-- test: (.+) -->$/;
const STAND_IN = /^(\S+) is (\S+)$/;
const HOW = /^(?:(small|languages|emulated)|parsed, \S.*)?\s*(?:exit (\d+))?$/;

/**
 * The blocks of a page in Markdown.
 *
 * @throws SyntaxError for a marker that says nothing known, or stands before something else than a block
 */
export function readPage(source: string): Page {
  const blocks: Block[] = [];
  const quoted: string[] = [];
  const given: Record<string, string> = {};
  let pending: string | undefined;
  let line = 1;
  const visit = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      const marker = token.type === 'html' ? MARKER.exec(token.raw.trim())?.[1] : undefined;
      const standIn = marker === undefined ? null : STAND_IN.exec(marker);
      if (standIn !== null) given[standIn[1]!] = standIn[2]!;
      else if (marker !== undefined) {
        if (pending !== undefined || !HOW.test(marker)) throw new SyntaxError(`marker at line ${line}: ${marker}`);
        pending = marker;
      } else if (token.type === 'code') {
        const language = token.codeBlockStyle === 'indented' ? 'sh' : (token.lang ?? '');
        blocks.push({ line, language, text: token.text, ...asMarked(pending) });
        pending = undefined;
      } else if (token.type !== 'space' && pending !== undefined) {
        throw new SyntaxError(`no block follows the marker before line ${line}: ${pending}`);
      }
      if (token.type === 'list') {
        const begin = line;
        for (const item of token.items) {
          visit(item.tokens);
          line = begin + breaks(token.raw.slice(0, token.raw.indexOf(item.raw) + item.raw.length));
        }
        line = begin;
      } else if (token.type === 'blockquote') {
        const begin = line;
        visit(token.tokens ?? []);
        line = begin;
      }
      line += breaks(token.raw);
    }
  };
  const tokens = lexer(source);
  visit(tokens);
  if (pending !== undefined) throw new SyntaxError(`no block follows the last marker: ${pending}`);
  walkTokens(tokens, (token) => {
    if (token.type === 'codespan') quoted.push(token.text);
  });
  return { blocks, quoted, given };
}

const breaks = (text: string) => text.split('\n').length - 1;

function asMarked(marker: string | undefined): Pick<Block, 'manner' | 'exit'> {
  const [, named, exit] = HOW.exec(marker ?? '')!;
  const manner = marker?.startsWith('parsed') ? 'parsed' : ((named as Manner | undefined) ?? 'run');
  return { manner, exit: Number(exit ?? 0) };
}
