import { adminOperations, operations } from '../../src/api/app.ts';
import { createOpenApiDocument } from '../../src/api/documentation/openapi-document.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly description?: string;
}

const intro = `"""Types of requests and responses.

Made from the OpenAPI document by \`npm run generate\`. Change the schemas of the service there.
"""

# isort: skip_file
from __future__ import annotations

from typing import Any, Literal, TypedDict
`;

const width = 120;
const indent = '    ';
// A class body cannot use these as field names, so such types use the functional syntax.
const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** The Python module with a type for each named schema of the OpenAPI document. */
export function writePythonTypes(): string {
  const { components } = JSON.parse(JSON.stringify(createOpenApiDocument(operations, undefined, adminOperations))) as {
    components: { schemas: Record<string, Schema> };
  };
  const written = new Set<string>();
  const blocks: string[] = [];
  const write = (name: string): void => {
    const schema = components.schemas[name];
    if (written.has(name) || schema === undefined) return;
    written.add(name);
    // Only base classes and the values of aliases must be defined before use.
    for (const needed of isObject(schema) ? basesOf(schema) : namesIn(schema)) write(needed);
    blocks.push(
      isObject(schema) ? writeClass(name, schema) : `${comment(schema, '')}${name} = ${typeOf(schema, true)}\n`,
    );
  };
  for (const name of Object.keys(components.schemas).sort()) write(name);
  return [intro, ...blocks].join('\n\n');
}

function isObject(schema: Schema): boolean {
  return schema.properties !== undefined || (schema.allOf?.some(isObject) ?? false);
}

function basesOf(schema: Schema): readonly string[] {
  return (schema.allOf ?? []).flatMap(({ $ref }) => ($ref === undefined ? [] : [nameOf($ref)]));
}

function namesIn(schema: Schema): readonly string[] {
  if (schema.$ref !== undefined) return [nameOf(schema.$ref)];
  return [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) =>
    part === undefined ? [] : namesIn(part),
  );
}

function writeClass(name: string, schema: Schema): string {
  const parts = [schema, ...(schema.allOf ?? [])];
  const fields = parts.flatMap((part) => Object.entries(part.properties ?? {}));
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const needed = fields.filter(([field]) => required.has(field));
  const optional = fields.filter(([field]) => !required.has(field));
  const bases = basesOf(schema);
  if (fields.some(([field]) => keywords.has(field))) return writeCall(name, schema, needed, optional);
  if (optional.length === 0) return classOf(name, bases, schema, needed);
  if (needed.length === 0) return classOf(name, bases, schema, optional, false);
  // `NotRequired` requires Python 3.11.
  const base = `_${name}Required`;
  return `${classOf(base, bases, {}, needed)}\n\n${classOf(name, [base], schema, optional, false)}`;
}

type Fields = readonly (readonly [name: string, schema: Schema])[];

function classOf(name: string, bases: readonly string[], schema: Schema, fields: Fields, isTotal = true): string {
  const parents = [...(bases.length === 0 ? ['TypedDict'] : bases), ...(isTotal ? [] : ['total=False'])];
  const lines = fields.map(([field, type]) => `${comment(type, indent)}${indent}${field}: ${typeOf(type)}\n`);
  return `${comment(schema, '')}class ${name}(${parents.join(', ')}):\n${lines.join('') || `${indent}pass\n`}`;
}

function writeCall(name: string, schema: Schema, needed: Fields, optional: Fields): string {
  const call = (typeName: string, fields: Fields): string => {
    const lines = fields.map(
      ([field, type]) => `${comment(type, indent)}${indent}"${field}": ${typeOf(type, true)},\n`,
    );
    return `TypedDict("${typeName}", {\n${lines.join('')}})\n`;
  };
  if (optional.length === 0) return `${comment(schema, '')}${name} = ${call(name, needed)}`;
  const base = `_${name}Required`;
  return `${base} = ${call(base, needed)}\n\n${classOf(name, [base], schema, optional, false)}`;
}

/** The Python type for a schema. Set `isEvaluated` outside annotations, where names must already be defined. */
function typeOf(schema: Schema, isEvaluated = false): string {
  if (schema.$ref !== undefined) return isEvaluated ? `"${nameOf(schema.$ref)}"` : nameOf(schema.$ref);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map((choice) => typeOf(choice, isEvaluated)));
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.type === undefined) return 'Any';
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return union(types.map((type) => simpleType(type, schema, isEvaluated)));
}

function simpleType(type: string, { items = {} }: Schema, isEvaluated: boolean): string {
  switch (type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${typeOf(items, isEvaluated)}]`;
    case 'object':
      return 'dict[str, Any]';
    default:
      throw new Error(`the OpenAPI document has the unknown type ${type}`);
  }
}

function union(types: readonly string[]): string {
  return [...new Set(types)].sort((one, other) => Number(one === 'None') - Number(other === 'None')).join(' | ');
}

function literal(value: unknown): string {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** The description as comment lines, wrapped to the line width. */
function comment({ description = '' }: Schema, margin: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of description.split(/\s+/).filter((one) => one !== '')) {
    if (line !== '' && margin.length + 3 + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((text) => `${margin}#: ${text}\n`).join('');
}
