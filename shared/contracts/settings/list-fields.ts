import * as z from 'zod';
import { meaningByName } from '../shared-fields.ts';

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
  /** What its schema, or its name alone, says that it means; null where neither does. */
  readonly meaning: string | null;
}

/** What of JSON Schema these contracts use. */
interface JsonSchema {
  readonly description?: string;
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

/** What a schema says that it means; of one that may be null, what the other says. */
function descriptionOf(schema: JsonSchema): string | undefined {
  const [only, ...more] = alternatives(schema).filter(({ type }) => type !== 'null');
  return schema.description ?? (more.length === 0 ? only?.description : undefined);
}

/**
 * Every field of a document with its meaning, in the order of the contract. An object whose fields are those of one before it
 * is named by that.
 *
 * @param io of what is written as a document, or of what a person may say
 */
export function listFields(schema: z.ZodType, io: 'input' | 'output' = 'output'): ListedField[] {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
  const fields: ListedField[] = [];
  const paths = new Set<string>();
  const seen = new Map<string, string>();
  const visit = (object: JsonSchema, below: string) => {
    const named = Object.entries(object.properties ?? {});
    const rest = object.additionalProperties;
    const all = typeof rest === 'object' ? [...named, ['*', rest] as const] : named;
    const names = all.map(([name]) => name);
    for (const [name, field] of all) {
      const path = below === '' ? name : `${below}.${name}`;
      if (paths.has(path)) continue;
      paths.add(path);
      const inner = objectsIn(field, path);
      // What the object is as a whole is said of its field.
      const shapes = inner.map(([{ description: _, ...shape }]) => shape);
      const shape = shapes.length === 0 ? '' : JSON.stringify(shapes);
      const sameAs = seen.get(shape) ?? null;
      fields.push({
        path,
        type: typeOf(field),
        always: name === '*' || (object.required ?? []).includes(name),
        sameAs,
        meaning: descriptionOf(field) ?? meaningByName(name, names),
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
