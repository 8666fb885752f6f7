import { Validator } from '@cfworker/json-schema';
import { jsonEditorTexts } from '../texts/json-editor.ts';
import { isObject } from './is-object.ts';
import type { JsonPath } from './json-text.ts';

export interface DataProblem {
  readonly path: JsonPath;
  readonly message: string;
}

type Schema = ConstructorParameters<typeof Validator>[0];

const maxProblems = 100;
// These only repeat the message of an inner problem.
const outerKeywords: ReadonlySet<string> = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  'anyOf',
  'allOf',
  'oneOf',
  '$ref',
]);

/**
 * Checks data against a JSON Schema (2020-12). Returns a function, because compiling the schema takes longer than one
 * check.
 */
export function createDataCheck(schema: object): (data: unknown) => readonly DataProblem[] {
  const validator = new Validator(schema as Schema, '2020-12', false);
  return (data) => {
    const { errors } = validator.validate(data);
    const inner = errors.filter(({ keyword }) => !outerKeywords.has(keyword));
    return inner.slice(0, maxProblems).map(({ keyword, keywordLocation, instanceLocation, error }) => {
      const path = pathOf(instanceLocation, data);
      const name = /"(.*?)"/.exec(error)?.[1] ?? '';
      if (keyword === 'required') return { path, message: jsonEditorTexts.missing(name) };
      if (keyword === 'type') return { path, message: jsonEditorTexts.wrongType(typesAt(schema, keywordLocation)) };
      return { path, message: error };
    });
  };
}

/** Parses a JSON pointer written as a fragment, `#/items/0`. Only the data tells whether `0` is a key or an index. */
function pathOf(location: string, data: unknown): JsonPath {
  const path: (string | number)[] = [];
  let at: unknown = data;
  for (const part of location.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const key = Array.isArray(at) ? Number(name) : name;
    path.push(key);
    at = valueAt(at, key);
  }
  return path;
}

function typesAt(schema: object, location: string): string {
  let at: unknown = schema;
  for (const part of location.split('/').slice(1)) {
    at = valueAt(at, decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return [at].flat().join(' or ');
}

function valueAt(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) ? value[key] : undefined;
}
