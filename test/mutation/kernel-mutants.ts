/** One change of a kernel's source. */
export interface KernelMutant {
  readonly kind: 'operator' | 'comparison' | 'constant' | 'lane' | 'dropped';
  /** Line of the source, from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The source with the change. */
  readonly source: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '/', '<<': '>>', '>>': '<<', '>>>': '<<', '&': '|', '|': '&', '^': '&' },
  ...{ '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '&=': '|=', '|=': '&=', '&&': '||', '||': '&&', '++': '--', '--': '++' },
  ...{ '.add(': '.sub(', '.sub(': '.add(', '.mul(': '.div(', '.div(': '.mul(', '.min(': '.max(', '.max(': '.min(' },
  ...{ '.and(': '.or(', '.or(': '.and(', '.xor(': '.or(' },
};

const COMPARISONS: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==' },
  ...{ '.lt(': '.le(', '.le(': '.lt(', '.gt(': '.ge(', '.ge(': '.gt(', '.eq(': '.ne(', '.ne(': '.eq(' },
};

/** Another number: an integer is one more, and of others a thousandth is added. */
function anotherNumber(text: string): string {
  if (/^0x/i.test(text)) return `0x${(BigInt(text) + 1n).toString(16)}`;
  return /^\d+$/.test(text) ? `${BigInt(text) + 1n}` : `(${text} * 1.001)`;
}

/** What is changed, in which order a place is taken for one of a kind, and what is put there. */
const RULES: readonly (readonly [KernelMutant['kind'], RegExp, (text: string) => string | undefined])[] = [
  ['lane', /(?<=_lane\([^;]*, )[01](?=[,)])/g, (text) => `${1 - Number(text)}`],
  [
    'operator',
    /(?<= )([-+*/%&|^]|<<|>>>?|&&|\|\||[-+*/&|]=)(?= )|\+\+|--|\.(add|sub|mul|div|min|max|and|or|xor)\(/g,
    (text) => OPERATORS[text],
  ],
  ['comparison', /(?<= )([<>]=?|[=!]=)(?= )|\.(lt|le|gt|ge|eq|ne)\(/g, (text) => COMPARISONS[text]],
  ['constant', /(?<![\w.$])(0x[\da-f]+|\d[\d_]*(\.\d+)?(e[-+]?\d+)?)(?![\w.])/gi, anotherNumber],
  // A term of a sum, and a statement that does something to what is there.
  ['dropped', /(?<=[\w)] )[-+] [\w.]+(?=[;,)\]])/g, () => ''],
  ['dropped', /(?<=^ +)(\w+ [-+*/&|]= .*;|[\w.]+(<\w+>)?\(.*\);)$/gm, () => ''],
];

/**
 * The source with spaces in place of what is not changed, so that places stay the same: comments, texts, imports, and the
 * zeros of globals, which are set before they are read.
 */
function codeOf(source: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ');
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|^import [\s\S]*?;$|^(export )?let .* = 0;$/gm, blank);
}

/**
 * Every change of a kernel's source that is made (AssemblyScript): another operator, bound, constant or lane, or a term or
 * statement that is left out. A place is changed in one way, but for being left out.
 */
export function kernelMutants(source: string): KernelMutant[] {
  const code = codeOf(source);
  const taken = new Set<number>();
  return RULES.flatMap(([kind, pattern, change]) =>
    [...code.matchAll(pattern)].flatMap(({ 0: before, index }): KernelMutant[] => {
      const after = change(before);
      if (after === undefined || (kind !== 'dropped' && taken.has(index))) return [];
      if (kind !== 'dropped') taken.add(index);
      const line = code.slice(0, index).split('\n').length;
      return [{ kind, line, before, after, source: source.slice(0, index) + after + source.slice(index + before.length) }];
    }),
  );
}
