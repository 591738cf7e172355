import { posix } from 'node:path';
import type { Violation } from './syntax.ts';

/** Dependencies whose version is not one exact version: a range may be another program next month. */
export function versionViolations(path: string, source: string): Violation[] {
  const manifest = JSON.parse(source) as Record<string, Record<string, string> | undefined>;
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((group) =>
    Object.entries(manifest[group] ?? {})
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path}: ${name} at ${version}, expected one exact version`),
  );
}

/** What only one machine has: absolute paths of its folders, and addresses in the lock file. */
export function machineViolations(path: string, source: string): Violation[] {
  return source.split('\n').flatMap((text, index) => {
    const absolute = /(?:^|[\s'"`(=:,<>[|]|file:\/\/)\/(work|root|home)\//.test(text);
    const address = /"resolved":\s*"http/.test(text);
    return absolute || address ? [`${path}:${index + 1}: names a place of one machine`] : [];
  });
}

/** Commands that would fetch and run whatever package has the program's name, where they are typed outside of a clone. */
export function fetchingViolations(path: string, source: string): Violation[] {
  const commands = source.matchAll(/\b(?:npx|npm\s+(?:exec|x))\s+((?:-\S+\s+)*)synthrisk\b/g);
  return [...commands].flatMap(({ index, 1: flags }) => {
    if (/(^|\s)--no(-install)?\s/.test(flags!)) return [];
    const line = source.slice(0, index).split('\n').length;
    return [`${path}:${line}: runs a package that it may fetch; expected npx --no-install`];
  });
}

/** Marks that git leaves where two versions were not merged. */
export function mergeViolations(path: string, source: string): Violation[] {
  return source.split('\n').flatMap((text, index) => (/^(<{7}|={7}|>{7})( |$)/.test(text) ? [`${path}:${index + 1}: was not merged`] : []));
}

/** Links of a Markdown file to files that are not there; `exists` answers for paths from the root. */
export function linkViolations(path: string, source: string, exists: (path: string) => boolean): Violation[] {
  const prose = source.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)];
  const references = [...prose.matchAll(/^\s*\[[^\]]+\]:\s*<?([^\s>]+)/gm)];
  return [...inline, ...references].flatMap(([, link]) => {
    const target = decodeURI(link!.replace(/#.*$/, ''));
    if (target === '' || /^[a-z][a-z+.-]*:/i.test(target)) return [];
    const file = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(path), target);
    return exists(file) ? [] : [`${path}: links to ${target}, which is not there`];
  });
}

/** The anchors of a Markdown file's headings, as GitHub makes them. */
const anchorsOf = (source: string): string[] => {
  const headings = source.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/^#+ (.+)$/gm);
  const named = [...source.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!);
  const made = [...headings].map(([, text]) =>
    text!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...made, ...named];
};

/** Links of a Markdown file to sections that are not there; `textOf` answers with the text of a Markdown file. */
export function anchorViolations(path: string, source: string, textOf: (path: string) => string | undefined): Violation[] {
  const prose = source.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(\s*([^)\s#:]*)#([^)\s]+)\)/g)].flatMap(([, file, anchor]) => {
    const target = file === '' ? path : posix.join(posix.dirname(path), file!);
    const text = target.endsWith('.md') ? textOf(target) : undefined;
    return text === undefined || anchorsOf(text).includes(decodeURI(anchor!))
      ? []
      : [`${path}: links to ${target}#${anchor}, which is not there`];
  });
}

/** A paper by the number that it once had here. */
const PAPER_KEY = [/(?<![\d.,])\b00[0-4]\b(?!,?\d|\.\d)/, 'the paper by author and year'] as const;

/** What the project does not say, and what it says instead. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are) reckoned with\b/, 'the program assumes'],
  [/\btell(?:s|ing)? of\b|\btold of\b|\btold apart\b|\btells? apart\b/, 'reveal, distinguish'],
  [/\b(?:is|are) told\b/, 'the report shows, the config says'],
  [/\b(?:is|are) taken for\b/, 'the program assumes'],
  [/\bwhat would tell\b/, 'every file that could confirm a guess'],
  [/\b(?:that|who) are there\b/, 'observed'],
  [/\bgiven away\b/, 'newly disclosed'],
  [/\bforetell?s?\b|\bforetold\b/, 'predict'],
  [/\bbelief shift(?:ed)?\b/, "change in the intruder's probabilities"],
  [/\btoo (?:sure|timid)\b/, 'overconfident, underconfident'],
  [/\bworth (?:of the release|than it is)\b|\bthan it is worth\b|\bwhat it is worth\b/, 'overstates, understates'],
  [/\bby chance alone\b.*\btold\b/, 'expected by chance'],
  PAPER_KEY,
];

/** What programs do not say besides; pages may say that a story tells something. */
const PROGRAM_PHRASES: typeof PHRASES = [
  ...PHRASES,
  [
    /\b(?:nothing|release|dataset|log|each) tells?\b|\bbe told from\b|\btells? (?:which|why|whose|more|less|most|nothing)\b/i,
    'shows, reveals, distinguishes',
  ],
  [/\bshifts? of belief\b/i, "change in the intruder's probabilities"],
  [/\bweigh(?:s|ed)? up\b/, 'considers'],
  [/\b(?:found by|for|of|guesses of) who (?:picks|gives|knows|has)\b/, 'an intruder who'],
  [/\bsurest\b/, 'most confident'],
];

const blanked = (text: string) => text.replace(/[^\n]/g, ' ');

/** Dialect in the prose of a Markdown file, and papers that it cites by a key; code is left out. */
export function phraseViolations(path: string, source: string): Violation[] {
  return saidIn(path, source.replace(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`|^ {4}.*$|\]\([^)]*\)/gm, blanked));
}

/**
 * The same in the texts of a program, what it says to people: comments and code are left out, and texts without a space. In `.tsx`
 * files words stand between elements, so that code is looked through as well.
 */
export function stringViolations(path: string, source: string): Violation[] {
  const parts = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm;
  const code = (text: string) => (path.endsWith('.tsx') ? text : blanked(text));
  let texts = '';
  let end = 0;
  for (const { 0: part, index } of source.matchAll(parts)) {
    texts += code(source.slice(end, index)) + (part.startsWith('/') || !part.includes(' ') ? blanked(part) : part);
    end = index + part.length;
  }
  return saidIn(path, texts + code(source.slice(end)), PROGRAM_PHRASES);
}

/** Papers that comments of a program cite by a key: codes stand in quotes there. */
export function commentViolations(path: string, source: string): Violation[] {
  const parts = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm;
  let comments = '';
  let end = 0;
  for (const { 0: part, index } of source.matchAll(parts)) {
    const said = part.startsWith('/') ? part.replace(/'\d*'|"\d*"|`[^`\n]*`/g, blanked) : blanked(part);
    comments += blanked(source.slice(end, index)) + said;
    end = index + part.length;
  }
  return saidIn(path, comments, [PAPER_KEY]);
}

function saidIn(path: string, prose: string, phrases = PHRASES): Violation[] {
  return prose.split('\n').flatMap((line, index) =>
    phrases.flatMap(([phrase, instead]) => {
      const found = phrase.exec(line.replace(/\s+/g, ' '))?.[0];
      return found === undefined ? [] : [`${path}:${index + 1}: says "${found}"; expected ${instead}`];
    }),
  );
}

/**
 * Paths and source files that a Markdown file names in backticks and that are not there.
 *
 * @param names of all files, without their folders
 */
export function pathViolations(path: string, source: string, exists: (path: string) => boolean, names: ReadonlySet<string>): Violation[] {
  const quoted = [...source.matchAll(/`([\w./-]+)`/g)].map(([, text]) => text!);
  return quoted
    .filter((text) => {
      // What a hidden folder holds is made on the way.
      if (text.startsWith('.') || text.includes('/.')) return false;
      const [folder] = text.split('/');
      if (text.includes('/')) return exists(folder!) && !exists(text);
      return /\.(ts|mjs)$/.test(text) && !names.has(text);
    })
    .map((text) => `${path}: names ${text}, which is not there`);
}

/** Names that pages quote of other programs. */
const FOREIGN = new Set([
  ...['AdministratorAccess', 'BucketSizeBytes', 'NumberOfObjects'],
  // Of synthpop, and the beginning of an id that CDK completes.
  ...['S_pMSE', 'utilR', 'utilStd', 'ChangesRole'],
]);

/** Names in backticks, written as functions, settings and fields are (`likeThis`), that no program of the project has. */
export function nameViolations(path: string, source: string, words: ReadonlySet<string>): Violation[] {
  const quoted = source.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g);
  const names = [...quoted].flatMap(([, text]) => [...text!.matchAll(/[A-Za-z]\w*(?!\w|\.{3})/g)]);
  return [...new Set(names.map(([name]) => name))]
    .filter((name) => /[a-z][A-Z]/.test(name) && !words.has(name) && !FOREIGN.has(name))
    .map((name) => `${path}: names ${name}, which nothing is called`);
}

/** What knip's JSON report complains of: files that nothing reaches, unused exports and dependencies. */
export function deadCodeViolations(report: string): Violation[] {
  const { issues } = JSON.parse(report) as { issues: ({ file: string } & Record<string, unknown>)[] };
  return issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, found]) =>
      (Array.isArray(found) ? found.flat() : []).map((one: { name: string }) => `${file}: ${kind}: ${one.name}`),
    ),
  );
}
