import { z } from 'zod';
import { descriptionKey } from './describe.ts';
import type { DescribedDocument } from './documents.ts';

/** A field of a document. */
export interface ListedField {
  /** `attributeRisk[].variables[].gainBitsMean`. */
  readonly path: string;
  /** `number`, `string or null`, `list of numbers`. */
  readonly type: string;
  /** False where it may be missing. */
  readonly always: boolean;
  /** Where an object of the same fields stands before it, whose fields are not listed again. */
  readonly sameAs: string | null;
  /** The part of the document and the key of its description; null where there is none. */
  readonly described: { readonly part: number; readonly key: string } | null;
  readonly meaning: string | null;
}

/** What of JSON Schema these contracts use. */
interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

const alternatives = (schema: JsonSchema): readonly JsonSchema[] => {
  const given = schema.anyOf ?? schema.oneOf;
  return given ? given.flatMap(alternatives) : [schema];
};

function typeOf(schema: JsonSchema): string {
  const types = alternatives(schema).map((one) => {
    if (one.items) return `list of ${typeOf(one.items)}`;
    if (one.prefixItems) return 'list';
    if (one.const !== undefined) return typeof one.const;
    if (one.enum) return 'string';
    return [one.type ?? 'any']
      .flat()
      .map((name) => (name === 'integer' ? 'whole number' : name))
      .join(' or ');
  });
  return [...new Set(types)].join(' or ');
}

/** Objects within a schema: itself, alternatives of it, and elements of lists. */
function objectsIn(schema: JsonSchema, path: string): (readonly [JsonSchema, string])[] {
  return alternatives(schema).flatMap((one) => {
    if (one.items) return objectsIn(one.items, `${path}[]`);
    return one.properties || typeof one.additionalProperties === 'object' ? [[one, path] as const] : [];
  });
}

/**
 * Every field of a document with its meaning, in the order of the contract. An object whose fields are those of one before it
 * is named by that.
 */
export function listFields({ schema, parts }: DescribedDocument): ListedField[] {
  const root = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    reused: 'inline',
  }) as JsonSchema;
  const fields: ListedField[] = [];
  const paths = new Set<string>();
  const seen = new Map<string, string>();
  const visit = (object: JsonSchema, below: string) => {
    const named = Object.entries(object.properties ?? {});
    const rest = object.additionalProperties;
    const all = typeof rest === 'object' ? [...named, ['*', rest] as const] : named;
    for (const [name, field] of all) {
      const path = below === '' ? name : `${below}.${name}`;
      if (paths.has(path)) continue;
      paths.add(path);
      const inner = objectsIn(field, path);
      const shape = inner.length === 0 ? '' : JSON.stringify(inner.map(([one]) => one));
      const sameAs = seen.get(shape) ?? null;
      fields.push({
        path,
        type: typeOf(field),
        always: name === '*' || (object.required ?? []).includes(name),
        sameAs,
        ...meaningOf(
          path,
          parts,
          all.map(([one]) => one),
        ),
      });
      if (shape !== '' && sameAs === null) {
        seen.set(shape, path);
        for (const [one, at] of inner) visit(one, at);
      }
    }
  };
  for (const [one, at] of objectsIn(root, '')) visit(one, at);
  return fields;
}

/** What a field means, and where that is said; null where it is not. */
export function meaningOf(
  path: string,
  parts: DescribedDocument['parts'],
  siblings: readonly string[],
): Pick<ListedField, 'described' | 'meaning'> {
  const names = path.replaceAll('[]', '').split('.');
  const part = parts.findIndex(([under]) => path.replaceAll('[]', '').startsWith(under));
  const own = parts[part]![1];
  const key = descriptionKey(names, own);
  if (key !== null) return { described: { part, key }, meaning: own[key]! };
  // What names alone say: the error of a field, and why it is null.
  const name = names.at(-1)!;
  const [, figure, kind] = /^(.+)(Se|Reason)$/.exec(name) ?? [];
  if (figure === undefined) return { described: null, meaning: null };
  return {
    described: null,
    meaning:
      kind === 'Se'
        ? `Standard error of \`${figure}\`.`
        : `Why \`${siblings.includes(figure) ? figure : `${figure}...`}\` is null.`,
  };
}
