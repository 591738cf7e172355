import { parseAst } from 'vitest/node';

/** What a check found: the file, the line where there is one, and what is wrong with it. */
export type Violation = string;

/** A node of the syntax tree, as ESTree and its TypeScript extension name them. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Whether something is a node. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

type Visit = (node: SyntaxNode, parent: SyntaxNode | null, field: string) => void;

/** Visits a node and all below it. */
export function walk(node: SyntaxNode, visit: Visit, parent: SyntaxNode | null = null, field = ''): void {
  visit(node, parent, field);
  for (const name in node) {
    const value = node[name];
    if (isNode(value)) walk(value, visit, node, name);
    else if (Array.isArray(value)) for (const child of value) if (isNode(child)) walk(child, visit, node, name);
  }
}

/** What was parsed last: one check of a file follows another. */
let last: { readonly path: string; readonly source: string; readonly tree: SyntaxNode } | undefined;

/** The syntax tree of a TypeScript file. A file that does not parse throws: no check may pass over it. */
export function parse(path: string, source: string): SyntaxNode {
  if (last?.path !== path || last.source !== source) {
    const lang = path.endsWith('.ts') ? 'ts' : 'js';
    last = { path, source, tree: parseAst(source, { lang, sourceType: 'module' }, path) as unknown as SyntaxNode };
  }
  return last.tree;
}

/** Where a node is: file and line. */
export function at(path: string, source: string, node: SyntaxNode): string {
  return `${path}:${source.slice(0, node.start).split('\n').length}`;
}

/** Whether a path lies below a folder. */
export function inFolder(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** Every module that a file names: imports, re-exports, `import()` and types imported in place. */
export function importsOf(tree: SyntaxNode): { specifier: string; node: SyntaxNode }[] {
  const found: { specifier: string; node: SyntaxNode }[] = [];
  walk(tree, (node) => {
    const { source } = node;
    if (isNode(source) && source.type === 'Literal' && typeof source.value === 'string') {
      found.push({ specifier: source.value, node });
    }
  });
  return found;
}

/** Whether a module is named by its path. */
export function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}
