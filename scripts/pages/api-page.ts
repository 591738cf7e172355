/** The parts of a file of declarations, each with a comment before it. */
const PARTS = /\n\n(?=\/\*\*|export)/;
const PART = /^\/\*\*\n?([\s\S]*?)\*\/\n([\s\S]+)$/;
const NAMES = /^export (?:type \{ (.+) \}|(?:declare )?(?:abstract )?\w+ (\w+))/;

const anchored = (name: string) => `[\`${name}\`](#${name.toLowerCase()})`;

/** A doc comment as Markdown. */
const prose = (comment: string) =>
  comment
    .replace(/^ \* ?/gm, '')
    .replace(/\{@link (\w+)\}/g, (_, name: string) => anchored(name))
    .replace(/^@throws (\S+)/gm, (_, what: string) => `Throws ${what.replace(/^SynthriskError$/, anchored)}`)
    .trim();

/**
 * The page of what programs can call, from the declarations that the npm package has.
 *
 * @param declarations `packages/npm/api.d.ts`
 * @throws RangeError for one without a comment
 */
export function renderApi(declarations: string): string {
  const parts = declarations
    .trim()
    .split(PARTS)
    .map((part) => {
      const found = PART.exec(part);
      if (found === null) throw new RangeError(`no comment says what this is: ${part.slice(0, 80)}`);
      return { comment: prose(found[1]!), code: found[2]! };
    });
  const [head, ...declared] = parts;
  const sections = declared.map(({ comment, code }) => {
    const [, several, one] = NAMES.exec(code)!;
    return `## ${several ?? one}\n\n${comment}\n\n\`\`\`ts\n${code.replace(/^export declare /, '').replace(/\{@link (\w+)\}/g, '$1')}\n\`\`\`\n`;
  });
  return `# API

<!-- test: household.csv is household.csv -->

${head!.comment}

This page is written by \`npm run docs:pages\` from the types of the package. How to install it: [install](../how-to/install.md).

${sections.join('\n')}`;
}
