import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { type JsonPath, pathAt, propertiesOf } from './json-text.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Completes missing keys that the schema lists for the object at the cursor, and the values that it enumerates. */
export function completeFromSchema(schema: object): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    const text = context.state.doc.toString();
    if (isInValue(node.name, node.parent?.name)) return completeValue(schema as Schema, context, pathAt(text, node));
    const holder = node.name === 'PropertyName' ? (node.parent?.parent ?? node) : node;
    const object = holder.name === 'Property' ? (holder.parent ?? holder) : holder;
    if (object.name !== 'Object') return null;
    const word = context.matchBefore(/"?[^"{},:[\]\s]*/);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    const at = schemaAt(schema as Schema, pathAt(text, object));
    const properties = at?.properties as Readonly<Record<string, Schema>> | undefined;
    if (properties === undefined) return null;
    const own = node.name === 'PropertyName' ? node.from : -1;
    const present = new Set(
      propertiesOf(object, text)
        .filter(({ node: property }) => property.from !== own)
        .map(({ key }) => key),
    );
    // Also replaces the closing quote that the editor added.
    const to = text[context.pos] === '"' ? context.pos + 1 : context.pos;
    const hasColon = /^\s*:/.test(text.slice(to, to + 20));
    return {
      from: word.from,
      to,
      filter: false,
      options: Object.entries(properties)
        .filter(([key]) => !present.has(key))
        .filter(([key]) => key.toLowerCase().includes(word.text.replaceAll('"', '').toLowerCase()))
        .map(([key, value]) => ({
          label: key,
          type: 'property',
          detail: typeName(value),
          apply: JSON.stringify(key) + (hasColon ? '' : `: ${emptyValue(value)}`),
        })),
    };
  };
}

function isInValue(name: string, parent: string | undefined): boolean {
  return name === 'String' || name === 'True' || name === 'False' || (parent === 'Property' && name !== 'PropertyName');
}

function completeValue(schema: Schema, context: CompletionContext, path: JsonPath): CompletionResult | null {
  const at = schemaAt(schema, path);
  const values = (at?.enum as unknown[] | undefined) ?? (at?.type === 'boolean' ? [true, false] : undefined);
  const word = context.matchBefore(/"?[\w/.-]*/);
  if (values === undefined || word === null) return null;
  const to = context.state.sliceDoc(context.pos, context.pos + 1) === '"' ? context.pos + 1 : context.pos;
  return { from: word.from, to, options: values.map((value) => ({ label: JSON.stringify(value), type: 'constant' })) };
}

/** The part of a schema that describes the value at a path. */
function schemaAt(schema: Schema, path: JsonPath): Schema | undefined {
  return path.reduce<Schema | undefined>((at, key) => {
    if (typeof key === 'number') return at?.items as Schema | undefined;
    const properties = at?.properties as Readonly<Record<string, Schema>> | undefined;
    return properties?.[key] ?? (at?.additionalProperties as Schema | undefined);
  }, schema);
}

function typeName({ type }: Schema): string {
  return [type ?? 'any'].flat().join(' | ');
}

function emptyValue({ type }: Schema): string {
  const first = [type].flat()[0];
  const values: Readonly<Record<string, string>> = {
    object: '{}',
    array: '[]',
    number: '0',
    integer: '0',
    boolean: 'true',
  };
  return values[String(first)] ?? '""';
}
