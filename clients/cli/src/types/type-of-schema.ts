import { isRecord } from '../json-value.ts';

/** A JSON Schema (2020-12): an object of keywords, or `true` or `false`. */
export type JsonSchema = unknown;

interface TypeText {
  readonly text: string;
  /** A union or an intersection, which needs parentheses as the items of a list. */
  readonly isCompound: boolean;
}

interface Place {
  readonly indent: string;
  /** Whether objects may have properties that the schema does not list. */
  readonly isOpen: boolean;
  readonly depth: number;
}

const maxDepth = 64;
const unknownType = simple('unknown');

/**
 * The TypeScript type, as text, of the values that a schema allows. Keywords that a type cannot express (patterns,
 * lengths, formats) are left out; unsupported schemas become `unknown`. `isOpen` allows objects to have more properties
 * than the schema lists.
 */
export function typeOfSchema(schema: JsonSchema, isOpen = false): string {
  return writeType(schema, { indent: '', isOpen, depth: 0 }).text;
}

/** Makes text safe for a comment: one line that neither ends the comment nor acts as a compiler directive. */
export function commentText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll('*/', '*\\/')
    .replace(/@(?=ts-)/gi, '@ ')
    .trim();
}

/** A property name, quoted unless it is a plain identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** Escapes line separators, which JSON allows in strings but older TypeScript parsers treat as line ends. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

function writeType(schema: JsonSchema, place: Place): TypeText {
  if (schema === false) return simple('never');
  if (!isRecord(schema) || place.depth > maxDepth) return unknownType;
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const parts = [ownType(schema, place), ...branches(schema, place)].filter(({ text }) => text !== 'unknown');
  return intersection(parts);
}

/** The type of `type` and its sibling keywords. */
function ownType(schema: Record<string, unknown>, place: Place): TypeText {
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map((one) => ownType({ ...schema, type: one }, place)));
  switch (type ?? impliedType(schema)) {
    case 'string':
      return simple('string');
    case 'number':
    case 'integer':
      return simple('number');
    case 'boolean':
      return simple('boolean');
    case 'null':
      return simple('null');
    case 'array':
      return listOf(schema.items, place);
    case 'object':
      return objectType(schema, place);
    default:
      return unknownType;
  }
}

function impliedType(schema: Record<string, unknown>): string | undefined {
  const isObject = isRecord(schema.properties) || isRecord(schema.additionalProperties);
  return isObject ? 'object' : isRecord(schema.items) ? 'array' : undefined;
}

/**
 * The types of `anyOf`, `oneOf` and `allOf`. A branch that only lists required properties takes their types from the
 * enclosing schema.
 */
function branches(schema: Record<string, unknown>, place: Place): readonly TypeText[] {
  const around = isRecord(schema.properties) ? schema.properties : {};
  const write = (branch: unknown) => {
    if (!isRecord(branch) || !Array.isArray(branch.required) || branch.type !== undefined) {
      return writeType(branch, deeper(place));
    }
    const own = isRecord(branch.properties) ? branch.properties : {};
    const required = branch.required.filter((name) => typeof name === 'string');
    const known = required.filter((name) => Object.hasOwn(around, name)).map((name) => [name, around[name]] as const);
    const properties = Object.fromEntries([...known, ...Object.entries(own)]);
    return writeType({ ...branch, type: 'object', properties }, deeper(place));
  };
  const { anyOf, oneOf, allOf } = schema;
  return [
    ...[anyOf, oneOf].flatMap((some) => (Array.isArray(some) ? [union(some.map(write))] : [])),
    ...(Array.isArray(allOf) ? allOf.map(write) : []),
  ];
}

function listOf(items: unknown, place: Place): TypeText {
  const { text, isCompound } = writeType(items, deeper(place));
  return simple(`readonly ${isCompound ? `(${text})` : text}[]`);
}

function objectType(schema: Record<string, unknown>, { indent, isOpen, depth }: Place): TypeText {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const names = new Set([...Object.keys(properties), ...required].filter((name) => typeof name === 'string'));
  const inner = { indent: `${indent}  `, isOpen, depth: depth + 1 };
  const lines: string[] = [];
  const types = new Set<string>();
  for (const name of [...names].sort()) {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const { text } = writeType(value, inner);
    const isRequired = required.has(name);
    // Allows undefined even with `exactOptionalPropertyTypes`, because JSON omits it.
    const type = isRequired || text === 'unknown' ? text : `${text} | undefined`;
    for (const one of isRequired ? [text] : [text, 'undefined']) types.add(one);
    const comment = describe(value);
    if (comment !== '') lines.push(`${inner.indent}/** ${comment} */`);
    lines.push(`${inner.indent}${propertyName(name)}${isRequired ? '' : '?'}: ${type};`);
  }
  for (const [name, value] of propertiesAround(properties)) {
    const { text } = writeType({ anyOf: value }, inner);
    types.add(text).add('undefined');
    lines.push(`${inner.indent}${propertyName(name)}?: ${text} | undefined;`);
  }
  const others = otherProperties(schema.additionalProperties, types, inner);
  if (others !== undefined) lines.push(`${inner.indent}[name: string]: ${others};`);
  // An empty object type would also allow strings and numbers.
  return simple(lines.length === 0 ? 'object' : `{\n${lines.join('\n')}\n${indent}}`);
}

/**
 * The names that a template may also look up outside a section: with `paid: true`, `{#paid}{date}{/paid}` prints the
 * `date` next to `paid`. A schema allows any other property, but a type does not.
 */
function propertiesAround(properties: Record<string, unknown>): ReadonlyMap<string, readonly unknown[]> {
  const around = new Map<string, unknown[]>();
  for (const section of Object.values(properties)) {
    if (!isRecord(section) || !isRecord(section.properties) || !mayBeTrue(section.type)) continue;
    for (const [name, value] of Object.entries(section.properties)) {
      if (!Object.hasOwn(properties, name)) around.set(name, [...(around.get(name) ?? []), value]);
    }
  }
  return new Map([...around].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether these are the types of a section that is likely to be one object or `true`, not a list. */
function mayBeTrue(types: unknown): boolean {
  return Array.isArray(types) && types[0] === 'object' && types.includes('array') && types.includes('boolean');
}

/** The type of an index signature, which must also cover the values of all properties. */
function otherProperties(schema: unknown, types: ReadonlySet<string>, place: Place): string | undefined {
  const { text } = schema === undefined || schema === true ? unknownType : writeType(schema, place);
  if (text === 'unknown') return place.isOpen || schema === true ? text : undefined;
  if (text === 'never') return undefined;
  if (place.isOpen || types.has('unknown')) return 'unknown';
  return [...new Set([text, ...types])].join(' | ');
}

const formatComments: Readonly<Record<string, string>> = {
  date: 'A date, such as 2026-03-31.',
  'date-time': 'A date with a time, such as 2026-03-31T10:00:00Z.',
  uri: 'An address, such as https://example.com.',
};

/** Describes constraints that the type does not express. */
function describe(schema: unknown): string {
  if (!isRecord(schema)) return '';
  if (typeof schema.description === 'string') return commentText(schema.description);
  const { format, contentMediaType, contentEncoding } = schema;
  if (typeof format === 'string' && Object.hasOwn(formatComments, format)) return formatComments[format] ?? '';
  if (contentMediaType === 'text/html') return 'HTML.';
  if (contentMediaType === 'text/markdown') return 'Markdown.';
  if (contentEncoding === 'base64') return 'Base64.';
  return isRecord(schema.items) ? describe(schema.items) : '';
}

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

function simple(text: string): TypeText {
  return { text, isCompound: false };
}

function literal(value: unknown): TypeText {
  if (typeof value === 'string') return simple(quoted(value));
  const isLiteral = value === null || typeof value === 'number' || typeof value === 'boolean';
  return isLiteral ? simple(String(value)) : unknownType;
}

function union(members: readonly TypeText[]): TypeText {
  const texts = new Set(members.map(({ text }) => text));
  if (texts.has('unknown')) return unknownType;
  texts.delete('never');
  if (texts.size === 0) return simple('never');
  return { text: [...texts].join(' | '), isCompound: texts.size > 1 || members.some(({ isCompound }) => isCompound) };
}

function intersection(parts: readonly TypeText[]): TypeText {
  const [first = unknownType, ...others] = parts;
  if (others.length === 0) return first;
  return {
    text: parts.map(({ text, isCompound }) => (isCompound ? `(${text})` : text)).join(' & '),
    isCompound: true,
  };
}
