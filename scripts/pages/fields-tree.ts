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
const OFTEN = 5;
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

/** `name[]?: string|null`. A number, and an object whose fields follow, need no word. */
function nameOf({ name, type, always, below }: Node): string {
  const lists = '[]'.repeat(type.split('list of ').length - 1);
  const words = type.replaceAll('list of ', '').replaceAll('whole number', 'integer').split(' or ');
  const said = words.filter((word) => word !== 'null' && word !== 'number' && (word !== 'object' || below.length === 0));
  const orNull = words.includes('null') ? '|null' : '';
  return `\`${name}${lists}${always ? '' : '?'}${said.length === 0 ? '' : `: ${said.join('|')}`}${orNull}\``;
}

/** What the error of a figure is called beside it, in documents and in tables. */
const seOf = ({ name }: Node) => [`${name}Se`, `${name}_se`];

/** What of an error or a reason its name says. */
const isPlain = (meaning: string | null, name: string) =>
  [`Standard error of \`${name}\`.`, 'Its standard error.', `Why \`${name}\` is null.`, 'Why it is null.'].includes(meaning ?? '');

/** A field as it is listed: with the companions that a mark stands for. */
interface Entry {
  readonly node: Node;
  /** Whether `...Reason` of its name is beside it, which its meaning does not say. */
  readonly hasReason: boolean;
  /** Its error: all three of them, one that means what its name says, or what that one means. */
  readonly error: 'none' | 'all' | 'plain' | { readonly meaning: string };
}

/** Fields of an object, without those that a mark at another one stands for. */
function entriesOf(nodes: readonly Node[]): Entry[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const folded = new Set<Node>();
  const entries = nodes.map((node) => {
    const { meaning, name } = node;
    const all = ERRORS.map((ending) => byName.get(name + ending)).filter((one) => one !== undefined);
    const se = seOf(node).flatMap((one) => byName.get(one) ?? [])[0];
    const reason = byName.get(`${name}${REASON}`);
    const isSaid = reason !== undefined && isPlain(reason.meaning, name);
    const isTriple = all.length === ERRORS.length;
    for (const one of [...(isTriple ? all : se ? [se] : []), ...(isSaid ? [reason] : [])]) folded.add(one);
    const error = isTriple ? 'all' : !se ? 'none' : isPlain(se.meaning, name) ? 'plain' : { meaning: se.meaning! };
    // What the mark says, the meaning need not.
    const said = isSaid ? { ...node, meaning: meaning?.replace(`, with \`${reason.name}\`,`, '') ?? null } : node;
    return { node: said, hasReason: isSaid, error } as const;
  });
  return entries.filter(({ node }) => !folded.has(node));
}

/** Fields of one name and meaning: which errors are beside them a mark says at each. */
const keyOf = ({ node }: Entry) => JSON.stringify([node.name, node.meaning]);

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

/** Writes documents and tables one after the other, each fact where it is first needed: later places name that one. */
export class FieldLists {
  readonly #trees: ReadonlyMap<string, readonly Node[]>;
  readonly #common: ReturnType<typeof commonOf>;
  /** Where a field was first explained. */
  readonly #meanings = new Map<string, string>();
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
      errors: this.#common.errors.map((meaning) => `- ${this.#mark(meaning)}: ${meaning}`).join('\n'),
      fields: [...this.#common.entries.values()].map(({ node }) => `- \`${node.name}\` ${node.meaning}`).join('\n'),
    };
  }

  /** The nested list of a document's fields, or the list of a table's columns. */
  render(file: string): string {
    return this.#lines(this.#trees.get(file)!, `${file}: `, '', '').join('\n');
  }

  #mark(meaning: string): string {
    const index = this.#common.errors.indexOf(meaning);
    return index < 0 ? `±: ${meaning}` : `±${index + 1}`;
  }

  #marks({ hasReason, error }: Entry): string {
    const errors = error === 'none' ? '' : error === 'all' ? ' ±±±' : error === 'plain' ? ' ±' : ` ${this.#mark(error.meaning)}`;
    return `${hasReason ? ' °' : ''}${errors}`;
  }

  #lines(nodes: readonly Node[], file: string, at: string, indent: string): string[] {
    const short = (place: string) => (place.startsWith(file) ? place.slice(file.length) : place.replace(/^confidential\//, ''));
    const entries = entriesOf(nodes);
    const byPlace = new Map<string, Entry[]>();
    for (const entry of entries) {
      if (entry.node.below.length > 0) continue;
      const key = keyOf(entry);
      const place = this.#common.entries.has(key) ? '' : this.#meanings.get(key);
      if (place === undefined) this.#meanings.set(key, `${file}${at}`.replace(/: $/, ''));
      else byPlace.set(place, [...(byPlace.get(place) ?? []), entry]);
    }
    const known = [...byPlace].filter(
      ([place, same]) => same.reduce((sum, { node }) => sum + wordsOf(node.meaning), 0) > (place === '' ? 0 : 5 + same.length),
    );
    const left = new Set(known.flatMap(([, same]) => same));
    const lines = entries.flatMap((entry) => {
      const { node } = entry;
      if (left.has(entry)) return [];
      const path = at === '' ? node.name : `${at}.${node.name}`;
      const line = `${indent}- ${nameOf(node)} ${node.meaning}${this.#marks(entry)}`;
      if (node.below.length === 0) return [line];
      const shape = JSON.stringify(shapeOf(node.below));
      const same = this.#objects.get(shape);
      if (same !== undefined) {
        const isSaid = same.meaning === node.meaning;
        return [`${isSaid ? `${indent}- ${nameOf(node)}${this.#marks(entry)}` : line} As \`${short(same.place)}\`.`];
      }
      this.#objects.set(shape, { place: `${file}${path}`, meaning: node.meaning });
      return [line, ...this.#lines(node.below, file, path, `${indent}  `)];
    });
    const as = known.map(([place, same]) => {
      const names = same.map((entry) => `${nameOf(entry.node)}${this.#marks(entry)}`).join(', ');
      return place === '' ? `${indent}- ${names}.` : `${indent}- As in \`${short(place)}\`: ${names}.`;
    });
    return [...as, ...lines];
  }
}
