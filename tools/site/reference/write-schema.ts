import type { OpenApiDocument } from '../../../src/api/documentation/walk.ts';
import { isObject } from '../../../src/shared/json.ts';

type Node = Readonly<Record<string, unknown>>;

/** Deeper fields are described where their schema is the body of another operation. */
const mostLevels = 5;

/** The fields of a body as one table, with dots in the names of nested fields, and `[]` for items of lists. */
export function writeFields(schema: unknown, document: OpenApiDocument): string {
  const rows = fieldsOf(schema, '', []);
  if (rows.length === 0) return '';
  return ['| field | type | meaning |', '| --- | --- | --- |', ...rows].join('\n');

  function fieldsOf(one: unknown, prefix: string, names: readonly string[]): readonly string[] {
    const name = refOf(one);
    // A schema that contains itself is described once.
    if (name !== undefined && names.includes(name)) return [];
    const within = name === undefined ? names : [...names, name];
    const node = resolved(one, document);
    if (node === undefined || prefix.split('.').length > mostLevels) return [];
    const parts = [...partsOf(node.allOf), ...partsOf(node.anyOf), ...partsOf(node.oneOf)];
    const items = isObject(node.items) ? fieldsOf(node.items, `${prefix.replace(/\.$/, '')}[].`, within) : [];
    const required = Array.isArray(node.required) ? node.required : [];
    const own = Object.entries(isObject(node.properties) ? node.properties : {}).flatMap(([property, child]) => [
      writeRow(`${prefix}${property}`, child, required.includes(property)),
      ...fieldsOf(child, `${prefix}${property}.`, within),
    ]);
    return [...new Set([...own, ...items, ...parts.flatMap((part) => fieldsOf(part, prefix, within))])];
  }

  function writeRow(path: string, child: unknown, isRequired: boolean): string {
    const node = resolved(child, document);
    const own = isObject(child) ? child.description : undefined;
    const meaning = inCell(own ?? node?.description);
    return `| \`${path}\`${isRequired ? ' (required)' : ''} | ${writeType(child, document)} | ${meaning} |`;
  }
}

/** A type with its limits, such as "integer, 1 to 100", in the words of JSON Schema. */
export function writeType(schema: unknown, document?: OpenApiDocument): string {
  const node = document === undefined ? (isObject(schema) ? schema : undefined) : resolved(schema, document);
  if (node === undefined) return '';
  if (Array.isArray(node.enum)) return node.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  const parts = [...partsOf(node.anyOf), ...partsOf(node.oneOf)];
  if (node.type === undefined && parts.length > 0)
    return [...new Set(parts.map((part) => writeType(part, document)))].filter((text) => text !== '').join(' or ');
  if (node.type === undefined) return isObject(node.properties) || node.allOf !== undefined ? 'object' : 'any value';
  const types = (Array.isArray(node.type) ? node.type : [node.type]).map(String);
  const named = types.map((type) => (type === 'array' ? `array${ofItems(node.items)}` : type)).join(' or ');
  return [named, ...limitsOf(node)].join(', ');

  function ofItems(items: unknown): string {
    const text = writeType(items, document);
    return text === '' || text === 'any value' ? '' : ` of ${text.split(',')[0] ?? ''}`;
  }
}

/** The example of a media type; undefined for files and texts. */
export function exampleOf(content: Node | undefined): object | undefined {
  const example = content?.example;
  return typeof example === 'object' && example !== null ? example : undefined;
}

function limitsOf(node: Node): readonly string[] {
  const range = (from: unknown, to: unknown, unit: string): readonly string[] => {
    if (from === undefined && to === undefined) return [];
    if (to === undefined) return [`at least ${String(from)}${unit}`];
    if (from === undefined) return [`at most ${String(to)}${unit}`];
    return [from === to ? `${String(from)}${unit}` : `${String(from)} to ${String(to)}${unit}`];
  };
  return [
    ...(typeof node.format === 'string' && node.format !== 'binary' ? [node.format] : []),
    ...range(node.minimum, node.maximum, ''),
    ...range(node.minLength, node.maxLength, ' characters'),
    ...range(node.minItems, node.maxItems, ' items'),
  ];
}

/** Descriptions may contain line breaks and bars, which would end a table cell. */
export function inCell(text: unknown): string {
  return String(text ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim();
}

const partsOf = (parts: unknown): readonly unknown[] => (Array.isArray(parts) ? parts : []);

function refOf(schema: unknown): string | undefined {
  const ref = isObject(schema) ? schema.$ref : undefined;
  return typeof ref === 'string' ? ref.split('/').at(-1) : undefined;
}

function resolved(schema: unknown, { components }: OpenApiDocument): Node | undefined {
  const name = refOf(schema);
  const found: unknown = name === undefined ? schema : components?.schemas?.[name];
  return isObject(found) ? found : undefined;
}
