import { isBuiltin } from 'node:module';
import { at, importsOf, inFolder, isNode, parse, type SyntaxNode, type Violation, walk } from './syntax.ts';

/** Folders on the way to a result: no Node, no clock, no environment. */
const PURE_FOLDERS = [
  ...['contracts', 'numeric', 'arrays', 'random', 'table', 'model', 'masking', 'risk', 'utility', 'compare', 'cost'],
].map((folder) => `shared/${folder}`);

/** Globals that know of the machine, the time or chance. */
const IMPURE_GLOBALS = new Set(['process', 'Buffer', 'Date', 'performance', 'require', 'global']);
/** Globals through which WebCrypto is reached: for the SHA-256 of run ids, in contracts alone. */
const CRYPTO_GLOBALS = new Set(['globalThis', 'crypto']);

/** Functions of `Math` whose last bits differ between processors and versions of Node. */
const INEXACT_MATH = new Set([
  ...['log', 'log1p', 'log2', 'log10', 'exp', 'expm1', 'pow'],
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2'],
  ...['sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'],
]);

/** Whether an identifier names a member (`x.process`, `{ process: 1 }`) and so refers to no variable. */
function isMemberName(parent: SyntaxNode | null, field: string): boolean {
  if (parent === null || parent.computed === true) return false;
  return field === 'key' || (field === 'property' && parent.type === 'MemberExpression');
}

/** Node's modules and globals that know of machine, time or chance, in the folders on the way to a result. */
export function purityViolations(path: string, source: string): Violation[] {
  if (!PURE_FOLDERS.some((folder) => inFolder(path, folder))) return [];
  const tree = parse(path, source);
  const found = importsOf(tree)
    .filter(({ specifier }) => isBuiltin(specifier))
    .map(({ specifier, node }) => `${at(path, source, node)}: imports ${specifier}`);
  walk(tree, (node, parent, field) => {
    if (node.type !== 'Identifier' || isMemberName(parent, field)) return;
    const name = String(node.name);
    const cryptoHere = CRYPTO_GLOBALS.has(name) && !inFolder(path, 'shared/contracts');
    if (IMPURE_GLOBALS.has(name) || cryptoHere) found.push(`${at(path, source, node)}: uses ${name}`);
  });
  return found;
}

/** The member of `Math` that a node names: `Math.log`, `Math['log']`; for any other use of `Math`, `*`. */
function mathMember(node: SyntaxNode, parent: SyntaxNode | null, field: string): string | null {
  if (node.type !== 'Identifier' || node.name !== 'Math' || isMemberName(parent, field)) return null;
  if (parent?.type !== 'MemberExpression' || field !== 'object' || !isNode(parent.property)) return '*';
  const { property } = parent;
  if (parent.computed !== true) return String(property.name);
  return typeof property.value === 'string' ? property.value : '*';
}

/** `Math.random` in shared/ and cli/, where one seed decides everything. */
export function chanceViolations(path: string, source: string): Violation[] {
  if (!inFolder(path, 'shared') && !inFolder(path, 'cli')) return [];
  const found: Violation[] = [];
  walk(parse(path, source), (node, parent, field) => {
    const member = mathMember(node, parent, field);
    if (member === 'random') found.push(`${at(path, source, node)}: Math.random; use a named stream`);
    if (member === '*') found.push(`${at(path, source, node)}: Math must be used as Math.name`);
  });
  return found;
}

/** Inexact functions of `Math` and powers in shared/, except in reports, whose bytes no result depends on. */
export function portabilityViolations(path: string, source: string): Violation[] {
  if (!inFolder(path, 'shared') || inFolder(path, 'shared/report')) return [];
  const found: Violation[] = [];
  walk(parse(path, source), (node, parent, field) => {
    const member = mathMember(node, parent, field);
    if (member !== null && INEXACT_MATH.has(member)) {
      found.push(`${at(path, source, node)}: Math.${member}; use shared/numeric/portable-math.ts`);
    }
    if (node.operator === '**' || node.operator === '**=') {
      found.push(`${at(path, source, node)}: the operator ${node.operator}; multiply instead`);
    }
  });
  return found;
}

/** Whether an expression is a list of scenarios by its name: `scenarios`, `x.scenarios`, `x.scenarios!`. */
function isScenarios(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === 'TSNonNullExpression') return isScenarios(value.expression);
  const named = value.type === 'MemberExpression' ? value.property : value;
  return isNode(named) && named.type === 'Identifier' && /scenarios$/i.test(String(named.name));
}

/** Whether a node is the number 0. */
const isZero = (value: unknown) => isNode(value) && value.type === 'Literal' && value.value === 0;

/**
 * The first of a run's scenarios taken for all of them: `scenarios[0]`, `scenarios.at(0)`. A scenario is opened by its
 * number and passed on.
 */
export function firstScenarioViolations(path: string, source: string): Violation[] {
  if (!['shared', 'cli', 'functions', 'infra'].some((folder) => inFolder(path, folder))) return [];
  const found: Violation[] = [];
  walk(parse(path, source), (node) => {
    const { callee } = node;
    const byPlace = node.type === 'MemberExpression' && isZero(node.property) && isScenarios(node.object);
    const byMethod =
      isNode(callee) &&
      callee.type === 'MemberExpression' &&
      isNode(callee.property) &&
      callee.property.name === 'at' &&
      Array.isArray(node.arguments) &&
      isZero(node.arguments[0]) &&
      isScenarios(callee.object);
    if (byPlace || byMethod) found.push(`${at(path, source, node)}: the first scenario; open it by its number`);
  });
  return found;
}

const DOCUMENTED_FOLDERS = ['shared', 'cli', 'functions', 'infra', 'kernels'];
/** A doc comment with words in it that ends where the text ends; only a linter's order may stand between. */
const DOC_COMMENT_AT_END = /\/\*\*(?:(?!\*\/)[\s\S])*\w(?:(?!\*\/)[\s\S])*\*\/\n?(?:[ \t]*\/\/ biome-ignore.*\n)*\s*$/;

/** Exports without a doc comment directly before them. Re-exports are excepted. */
export function documentationViolations(path: string, source: string): Violation[] {
  if (!DOCUMENTED_FOLDERS.some((folder) => inFolder(path, folder))) return [];
  const found: Violation[] = [];
  walk(parse(path, source), (node) => {
    const exported = /^Export(Named|Default)Declaration$/.test(node.type) && !isNode(node.source);
    if (exported && !DOC_COMMENT_AT_END.test(source.slice(0, node.start))) {
      found.push(`${at(path, source, node)}: export without a doc comment`);
    }
  });
  return found;
}

/** Tests that are left out or that leave the others out; `skipIf` with its condition is allowed. */
export function leftOutTestViolations(path: string, source: string): Violation[] {
  if (!inFolder(path, 'test') && !inFolder(path, 'bench')) return [];
  const leftOut = (name: unknown) => isNode(name) && /^(only|skip|todo)$/.test(String(name.name));
  const found: Violation[] = [];
  walk(parse(path, source), (node) => {
    const asMember = node.type === 'MemberExpression' && leftOut(node.property);
    const asOption = node.type === 'Property' && leftOut(node.key) && isNode(node.value) && node.value.value === true;
    if (asMember || asOption) found.push(`${at(path, source, node)}: a test that is left out, or runs alone`);
  });
  return found;
}

/** Where a synthesizer is at home: what a config knows of it, what it computes, and what a run does by it. */
const OF_SYNTHESIZERS = ['shared/contracts/models', 'shared/model', 'shared/pipeline/synthesizers'];

/** Whether a node is `model` or `x.model`. */
const isModel = (node: unknown): boolean =>
  isNode(node) &&
  (node.type === 'Identifier'
    ? node.name === 'model'
    : node.type === 'MemberExpression' && isNode(node.property) && node.property.name === 'model');

/**
 * Where anything but a synthesizer asks which one it is: the name of a model as a text by itself, or `model.name` but for
 * printing or storing it.
 *
 * @param names of all models
 */
export function modelViolations(names: readonly string[], path: string, source: string): Violation[] {
  const isHeld = ['shared', 'cli', 'functions', 'infra'].some((folder) => inFolder(path, folder));
  if (!isHeld || OF_SYNTHESIZERS.some((folder) => inFolder(path, folder))) return [];
  const found: Violation[] = [];
  const tell = (node: SyntaxNode) =>
    found.push(`${at(path, source, node)}: asks which model it is; ask what it offers (factsOf, synthesizerOf)`);
  walk(parse(path, source), (node, parent, field) => {
    const isText = node.type === 'Literal' || node.type === 'StringLiteral';
    if (isText && names.includes(String(node.value))) tell(node);
    if (node.type === 'VariableDeclarator' && isModel(node.init) && isNode(node.id)) {
      const taken = node.id.type === 'ObjectPattern' ? (node.id.properties as SyntaxNode[]) : [];
      if (taken.some(({ key }) => isNode(key) && key.name === 'name')) tell(node);
    }
    if (node.type !== 'MemberExpression' || !isModel(node.object)) return;
    if (!isNode(node.property) || node.property.name !== 'name') return;
    const isPrinted = parent?.type === 'TemplateLiteral' || (parent?.type === 'Property' && field === 'value');
    if (!isPrinted) tell(node);
  });
  return found;
}

const PARAMETER_FOLDERS = ['shared', 'cli', 'functions', 'infra', 'kernels'];
const MOST_PARAMETERS = 5;

/**
 * Functions and types of functions with more parameters in a row than a reader of a call can tell apart. What a file of
 * `kernels/` keeps to itself is excepted: its parameters are vectors and addresses that are to stay in registers, for
 * which AssemblyScript has no record.
 */
export function parameterViolations(path: string, source: string): Violation[] {
  if (!PARAMETER_FOLDERS.some((folder) => inFolder(path, folder))) return [];
  const found: Violation[] = [];
  walk(parse(path, source), (node, parent) => {
    if (!Array.isArray(node.params) || node.params.length <= MOST_PARAMETERS) return;
    if (/^TSTypeParameter/.test(node.type)) return;
    if (inFolder(path, 'kernels') && !/^Export/.test(parent?.type ?? '')) return;
    const count = `${node.params.length} parameters, expected ${MOST_PARAMETERS} at most`;
    found.push(`${at(path, source, node)}: ${count}; give them names in an object`);
  });
  return found;
}
