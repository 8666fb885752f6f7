import type { DataSchema, DataType } from '../../data-schema.ts';

/** A difference that may break clients of the current version. */
export interface SchemaChange {
  readonly kind: 'removed' | 'retyped' | 'required';
  /** Path in the data: `customer.name`, `items[].price`. */
  readonly name: string;
  readonly message: string;
  readonly hint: string;
}

const maxChanges = 50;
const textLikeTypes = new Set(['text', 'a date', 'a date and time', 'an address']);

/**
 * The fields of `current` that `next` removes, retypes or newly requires; at most fifty changes, sorted by name.
 * Undefined if one of the schemas is incomplete, so that nothing can be concluded.
 */
export function compareSchemas(current: DataSchema, next: DataSchema): readonly SchemaChange[] | undefined {
  if (current.$comment !== undefined || next.$comment !== undefined) return undefined;
  return [...changesOf(current, next, '')]
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
    .slice(0, maxChanges);
}

function* changesOf(current: DataSchema, next: DataSchema, path: string): Generator<SchemaChange> {
  const [before, after] = [acceptedTypes(current), acceptedTypes(next)];
  if (before.size > 0 && after.size > 0 && !isCompatible(before, after)) {
    yield retyped(path, before, after);
    return;
  }
  // A section that may be an object or a list has the same names in both.
  if (current.items !== undefined && next.items !== undefined) yield* changesOf(current.items, next.items, `${path}[]`);
  else yield* changesOfProperties(current, next, path);
}

function* changesOfProperties(current: DataSchema, next: DataSchema, path: string): Generator<SchemaChange> {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  // Keys that come from the data, as in `rates[currency]`, accept any name.
  const { additionalProperties: currentExtra, properties: currentProperties } = current;
  const { additionalProperties: nextExtra, properties: nextProperties } = next;
  if (currentExtra !== undefined && nextExtra !== undefined) yield* changesOf(currentExtra, nextExtra, at('*'));
  else if (currentExtra !== undefined && nextProperties !== undefined) yield removed(at('*'));
  const before = currentProperties ?? (currentExtra === undefined ? undefined : {});
  if (before === undefined || (nextProperties ?? nextExtra) === undefined) return;
  const [currentRequired, nextRequired] = [new Set(current.required), new Set(next.required)];
  for (const name of new Set([...Object.keys(before), ...Object.keys(nextProperties ?? {})])) {
    const [currentField, nextField] = [ownField(before, name), ownField(nextProperties ?? {}, name) ?? nextExtra];
    if (nextField === undefined) yield removed(at(name));
    else if (currentField !== undefined) yield* changesOf(currentField, nextField, at(name));
    if (nextField !== undefined && nextRequired.has(name) && !currentRequired.has(name)) yield required(at(name));
  }
}

/** The types of value that a schema accepts, in words; empty if it accepts anything. */
function acceptedTypes(schema: DataSchema): ReadonlySet<string> {
  if (schema.anyOf !== undefined) return new Set(schema.anyOf.flatMap((choice) => [...acceptedTypes(choice)]));
  return new Set([schema.type ?? []].flat().map((type) => typeName(type, schema)));
}

const sectionTypes = ['true or false', 'an object', 'a list'];

/**
 * A section accepts three types, but each client sends only one of them. The new version may accept fewer types, such
 * as only a list.
 */
function isCompatible(before: ReadonlySet<string>, after: ReadonlySet<string>): boolean {
  const isSection = before.size === sectionTypes.length && sectionTypes.every((type) => before.has(type));
  const isFit = (type: string) => isAccepted(type, after);
  return isSection ? sectionTypes.some(isFit) : [...before].every(isFit);
}

function typeName(type: DataType, { format, contentEncoding, contentMediaType }: DataSchema): string {
  switch (type) {
    case 'number':
    case 'integer':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'null':
      return 'nothing';
    case 'string':
      if (contentMediaType !== undefined) return contentMediaType === 'text/html' ? 'HTML' : 'Markdown';
      if (contentEncoding !== undefined) return 'a picture';
      if (format === 'date') return 'a date';
      if (format === 'date-time') return 'a date and time';
      return format === 'uri' ? 'an address' : 'text';
  }
}

/** A template that prints text also prints dates and addresses; one that formats a date accepts only dates. */
function isAccepted(type: string, accepted: ReadonlySet<string>): boolean {
  return accepted.has(type) || (textLikeTypes.has(type) && accepted.has('text'));
}

function removed(name: string): SchemaChange {
  const message = `The new version does not use "${name}", which the current one does.`;
  return { kind: 'removed', name, message, hint: `keep a tag for ${name}, or inform the clients that send it` };
}

function retyped(name: string, before: ReadonlySet<string>, after: ReadonlySet<string>): SchemaChange {
  const message = `"${name}" is ${[...before].join(' or ')} in the current version and ${[...after].join(' or ')} in the new one.`;
  return { kind: 'retyped', name, message, hint: `use ${name} as before, or give the new value another name` };
}

function required(name: string): SchemaChange {
  const message = `The new version always prints "${name}", which the current one does not.`;
  return {
    kind: 'required',
    name,
    message,
    hint: `put it in a section, such as {#${name}}…{/${name}}, or give it a default`,
  };
}

/** Names such as `constructor` are ordinary names of fields. */
function ownField(fields: Readonly<Record<string, DataSchema>>, name: string): DataSchema | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
