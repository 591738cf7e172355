import type { z } from 'zod';
import { type ListedField, listFields } from '../../shared/contracts/settings/list-fields.ts';

/** A field with those below it. */
interface Node extends ListedField {
  readonly name: string;
  readonly below: readonly Node[];
}

const ERRORS = ['Se', 'SimulationSe', 'ReleaseSe'];
const REASON = 'Reason';
/** A field of so many objects, whose meaning has more words than this, has its line at the head of the page. */
const OFTEN = 6;
const SHORT = 3;

/** The tree of a document. An object that is listed as the same as one before it has the fields of that one. */
function treeOf(fields: readonly ListedField[]): Node[] {
  const parentOf = ({ path }: ListedField) => path.slice(0, Math.max(path.lastIndexOf('.'), 0)).replace(/(\[\])+$/, '');
  const below = (parent: string): Node[] =>
    fields
      .filter((field) => parentOf(field) === parent)
      .map((field) => ({ ...field, name: field.path.slice(field.path.lastIndexOf('.') + 1), below: below(field.sameAs ?? field.path) }));
  return below('');
}

/** What makes objects the same: their fields, and all below them. */
const shapeOf = (nodes: readonly Node[]): unknown =>
  nodes.map(({ name, type, always, meaning, below }) => [name, type, always, meaning, shapeOf(below)]);

/** `name[]?|null`. Types of values are in the declarations of the npm package. */
function nameOf({ name, type, always }: Node): string {
  const isNullable = type.split(' or ').includes('null');
  return `\`${name}${'[]'.repeat(type.split('list of ').length - 1)}${always ? '' : '?'}${isNullable ? '|null' : ''}\``;
}

/** What the error of a figure is called beside it, in documents and in tables. */
const seOf = ({ name }: Node) => [`${name}Se`, `${name}_se`];

/** How the meaning of an error begins. */
const STANDARD_ERROR = /^(?:Its (?:Monte Carlo )?s|S)tandard errors?(?:,|:| over releases,)? ?/;

/** What a figure is the error of, by its meaning. */
const kindOf = (meaning: string) =>
  meaning === 'Its Monte Carlo standard error.' ? 'of simulation alone.' : meaning.replace(STANDARD_ERROR, '');

/** What of an error or a reason its name says. */
const isPlain = (meaning: string | null, name: string) =>
  [`Standard error of \`${name}\`.`, 'Its standard error.', `Why \`${name}\` is null.`, 'Why it is null.'].includes(meaning ?? '');

/** Words of a name or of a meaning, without those that say nothing. */
const plainWords = (text: string) =>
  (
    text
      .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  ).map((word) => word.replace(/^0|s$/, ''));
const SILENT = new Set(plainWords('the its a of value that it over in name number from 1 figure how many are each one'));

/** Whether a meaning says no more than the name. */
const isSaidByName = ({ name, meaning }: Node) => {
  if (name.endsWith(REASON) && /^Why [^:]+\.$/.test(meaning ?? '')) return true;
  const words = new Set(plainWords(name));
  return plainWords(meaning ?? '').every((word) => words.has(word) || SILENT.has(word));
};

/** A field as it is listed: with the companions that a mark stands for. */
interface Entry {
  readonly node: Node;
  /** Whether `...Reason` of its name is beside it, which its meaning does not say. */
  readonly hasReason: boolean;
  /** Its error: all three of them, one that means what its name says, or what that one means. */
  readonly error: 'none' | 'all' | 'plain' | { readonly meaning: string };
  /** The same figure with the release, of one without it. */
  readonly after: Entry | null;
}

/** A figure without the release, of which the same follows with it. */
const BEFORE = /^(.+)(Before|_before)(.*)$/;
const AFTER = ['The same with the release.', 'The same with it.'];
const AFTER_OF: Readonly<Record<string, string>> = { Before: 'After', _before: '_after' };
const WITHOUT = ' without the release';

/** Fields of an object, without those that a mark at another one stands for. */
function entriesOf(nodes: readonly Node[]): Entry[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const folded = new Set<Node>();
  const entries = nodes.map((node): Entry => {
    const { meaning, name } = node;
    const all = ERRORS.map((ending) => byName.get(name + ending)).filter((one) => one !== undefined);
    const se = seOf(node).flatMap((one) => byName.get(one) ?? [])[0];
    const reason = byName.get(`${name}${REASON}`);
    const isSaid = reason !== undefined && isPlain(reason.meaning, name);
    const isTriple = all.length === ERRORS.length;
    for (const one of [...(isTriple ? all : se ? [se] : []), ...(isSaid ? [reason] : [])]) folded.add(one);
    const error: Entry['error'] = isTriple ? 'all' : !se ? 'none' : isPlain(se.meaning, name) ? 'plain' : { meaning: kindOf(se.meaning!) };
    // What the mark says, the meaning need not.
    const said: Node = isSaid ? { ...node, meaning: meaning?.replace(`, with \`${reason.name}\`,`, '') ?? null } : node;
    return { node: said, hasReason: isSaid, error, after: null };
  });
  const left = entries.filter(({ node }) => !folded.has(node));
  const pairs = left.map((entry): Entry => {
    const name = entry.node.name.replace(BEFORE, (_, stem: string, word: string, rest: string) => `${stem}${AFTER_OF[word]}${rest}`);
    const after = left.find(({ node }) => name !== entry.node.name && node.name === name && AFTER.includes(node.meaning ?? ''));
    if (after === undefined) return entry;
    return { ...entry, node: { ...entry.node, meaning: entry.node.meaning?.replace(WITHOUT, '') ?? null }, after };
  });
  const afters = new Set(pairs.map(({ after }) => after));
  return pairs.filter((entry) => !afters.has(entry));
}

/** A column as the field of that name. */
const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Fields of one name and meaning: which errors are beside them a mark says at each. */
const keyOf = ({ node }: Entry) => JSON.stringify([camelCase(node.name), node.meaning]);

const wordsOf = (text: string | null) => (text ?? '').split(' ').length;

/** What many objects have, and the errors that many figures have: what is said of them once, at the head of the page. */
function commonOf(objects: readonly (readonly Node[])[]): {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly errors: readonly string[];
} {
  const count = new Map<string, Entry[]>();
  const errors = new Map<string, number>();
  for (const entry of objects.flatMap(entriesOf)) {
    if (entry.node.below.length === 0) count.set(keyOf(entry), [...(count.get(keyOf(entry)) ?? []), entry]);
    if (typeof entry.error === 'object') errors.set(entry.error.meaning, (errors.get(entry.error.meaning) ?? 0) + 1);
  }
  const entries = [...count].flatMap(([key, [first, ...more]]) =>
    more.length + 1 >= OFTEN && wordsOf(first!.node.meaning) > SHORT ? [[key, first!] as const] : [],
  );
  return { entries: new Map(entries), errors: [...errors].flatMap(([meaning, times]) => (times > 1 ? [meaning] : [])) };
}

/** Objects of a document, each shape once. */
function objectsBelow(nodes: readonly Node[], seen: Set<string>): (readonly Node[])[] {
  const shape = JSON.stringify(shapeOf(nodes));
  if (nodes.length === 0 || seen.has(shape)) return [];
  seen.add(shape);
  return [nodes, ...nodes.flatMap(({ below }) => objectsBelow(below, seen))];
}

/** A table's columns as fields. */
const columnNodes = (columns: Readonly<Record<string, { readonly meaning: string }>>): Node[] =>
  Object.entries(columns).map(([name, { meaning }]) => ({
    name,
    path: name,
    type: 'number',
    always: true,
    sameAs: null,
    meaning,
    below: [],
  }));

/** A line of fields of one object. */
interface Line {
  readonly text: string;
  /** Whether it is names of which nothing more is said, or holds a field that others are listed below. */
  readonly kind: 'names' | 'fields' | 'parent' | 'below';
}

/** A line holds the fields of one object that fit into it. */
const WIDTH = 200;

/** Lines of one object: neighbours share a line where they are short, unless fields are listed below one of them. */
function joined(lines: readonly Line[]): Line[] {
  const all: Line[] = [];
  for (const line of lines) {
    const last = all.at(-1);
    const isApart = [last, line].some((one) => one === undefined || one.kind === 'parent' || one.kind === 'below');
    const words = line.text.trimStart().slice('- '.length);
    if (last === undefined || isApart || last.text.length + words.length >= WIDTH) {
      all.push(line);
      continue;
    }
    const isList = last.kind === 'names' && line.kind === 'names';
    all[all.length - 1] = { text: isList ? `${last.text.slice(0, -1)}, ${words}` : `${last.text} ${words}`, kind: line.kind };
  }
  return all;
}

/** Writes documents and tables one after the other, each fact where it is first needed: later places name that one. */
export class FieldLists {
  readonly #trees: ReadonlyMap<string, readonly Node[]>;
  readonly #common: ReturnType<typeof commonOf>;
  /** Where a field was first explained. */
  readonly #meanings = new Map<string, string>();
  /** What a name meant where it stood last. */
  readonly #last = new Map<string, string>();
  /** Where an object of the same fields was listed before and as what, by its shape. */
  readonly #objects = new Map<string, { readonly place: string; readonly meaning: string | null }>();

  constructor(
    documents: readonly (readonly [file: string, schema: z.ZodType])[],
    tables: readonly (readonly [file: string, columns: Readonly<Record<string, { readonly meaning: string }>>])[],
  ) {
    this.#trees = new Map([
      ...documents.map(([file, schema]) => [file, treeOf(listFields(schema))] as const),
      ...tables.map(([file, columns]) => [file, columnNodes(columns)] as const),
    ]);
    const seen = new Set<string>();
    this.#common = commonOf([...this.#trees.values()].flatMap((tree) => objectsBelow(tree, seen)));
  }

  /** What is said once: errors by their numbers, and fields of many objects. */
  head(): { readonly errors: string; readonly fields: string } {
    return {
      errors: this.#common.errors.map((meaning) => `${this.#mark(meaning)} ${meaning.slice(0, -1)}`).join('; '),
      fields: [...this.#common.entries.values()].map(({ node }) => `- \`${node.name}\` ${node.meaning}`).join('\n'),
    };
  }

  /** The nested list of a document's fields, or the list of a table's columns. */
  render(file: string): string {
    return this.#lines(this.#trees.get(file)!, `${file}: `, '', '')
      .map(({ text }) => text)
      .join('\n');
  }

  #mark(meaning: string): string {
    const index = this.#common.errors.indexOf(meaning);
    return index < 0 ? '±' : `±${index + 1}`;
  }

  #marks({ hasReason, error }: Entry): string {
    const errors = error === 'none' ? '' : error === 'all' ? ' ±±±' : error === 'plain' ? ' ±' : ` ${this.#mark(error.meaning)}`;
    return `${hasReason ? ' °' : ''}${errors}`;
  }

  /** What is said of an error that no other figure has. */
  #aboutError({ error }: Entry): string {
    return typeof error === 'object' && !this.#common.errors.includes(error.meaning)
      ? ` ±: ${error.meaning.replace(STANDARD_ERROR, '')}`
      : '';
  }

  /** A field and its companions by their names alone. */
  #names(entry: Entry): string {
    const named = `${nameOf(entry.node)}${this.#marks(entry)}`;
    return entry.after === null ? named : `${named}, ${this.#names(entry.after)}`;
  }

  /** Where the meaning of a field stands that need not be said again: under its name (''), or at a place; undefined if it is new. */
  #placeOf(entry: Entry, here: string): string | undefined {
    const key = keyOf(entry);
    if (this.#common.entries.has(key) || isSaidByName(entry.node)) return '';
    const last = this.#last.get(camelCase(entry.node.name));
    this.#last.set(camelCase(entry.node.name), key);
    const place = this.#meanings.get(key);
    if (place === undefined) this.#meanings.set(key, here);
    return last === key ? '' : place;
  }

  #lines(nodes: readonly Node[], file: string, at: string, indent: string): Line[] {
    const short = (place: string) => (place.startsWith(file) ? place.slice(file.length) : place.replace(/^confidential\//, ''));
    const entries = entriesOf(nodes);
    const byPlace = new Map<string, Entry[]>();
    const bare = new Set<Entry>();
    for (const entry of entries) {
      if (entry.node.below.length > 0) continue;
      const place = this.#placeOf(entry, `${file}${at}`.replace(/: $/, ''));
      if (place === '') bare.add(entry);
      else if (place !== undefined) byPlace.set(place, [...(byPlace.get(place) ?? []), entry]);
    }
    const known = [...byPlace].filter(([, same]) => same.reduce((sum, { node }) => sum + wordsOf(node.meaning), 0) > 5 + same.length);
    const elsewhere = new Set(known.flatMap(([, same]) => same));
    const as = known.map(([place, same]): Line => {
      const names = same.map((entry) => this.#names(entry)).join(', ');
      return { text: `${indent}- As in \`${short(place)}\`: ${names}.`, kind: 'fields' };
    });
    const lines = entries.flatMap((entry): Line[] => {
      const { node } = entry;
      if (elsewhere.has(entry)) return [];
      const path = at === '' ? node.name : `${at}.${node.name}`;
      const named = `${indent}- ${this.#names(entry)}`;
      if (bare.has(entry)) return [{ text: `${named}.`, kind: 'names' }];
      // An object's fields are listed, whether or not its name has the meaning that it had last.
      const isKnown = node.below.length > 0 && this.#placeOf(entry, '') === '';
      const text = isKnown ? `${named}${this.#aboutError(entry)}` : `${named} ${node.meaning}${this.#aboutError(entry)}`;
      if (node.below.length === 0) return [{ text, kind: 'fields' }];
      const shape = JSON.stringify(shapeOf(node.below));
      const same = this.#objects.get(shape);
      if (same !== undefined)
        return [{ text: `${same.meaning === node.meaning ? named : text} As \`${short(same.place)}\`.`, kind: 'fields' }];
      this.#objects.set(shape, { place: `${file}${path}`, meaning: node.meaning });
      const below = this.#lines(node.below, file, path, `${indent}  `);
      return [{ text, kind: 'parent' }, ...below.map((line): Line => ({ ...line, kind: 'below' }))];
    });
    return joined([...as, ...lines]);
  }
}
