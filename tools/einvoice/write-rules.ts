import { prefixes } from '@docmill/einvoice/namespaces';
import { asText, type Code, type Scope } from './code.ts';
import { compileContext } from './emit-context.ts';
import { compileTest, compileXPath } from './emit-xpath.ts';
import type { Assert, Pattern, Rule, Schema, Variable } from './read-schematron.ts';

/** The functions of the package that compiled expressions call, by module. */
const library = {
  axes: ['at', 'attribute', 'child', 'children', 'has', 'inOrder', 'passes', 'preceding', 'step', 'union'],
  compare: ['compare', 'compareValues'],
  decimal: ['Decimal'],
  functions: [
    ...['abs', 'calculate', 'castInteger', 'codepoints', 'count', 'distinctValues', 'localNameOf', 'matches'],
    ...['nameOf', 'normalizeSpace', 'replace', 'round', 'stringJoin', 'stringLength', 'substring'],
    ...['substringAfter', 'substringBefore', 'sum', 'tokenize'],
  ],
  values: ['castBoolean', 'castDate', 'castDecimal', 'optional', 'single', 'textOf', 'truth'],
};

/** A TypeScript module with the rules of a schema as functions. */
export function writeRules(schema: Schema): string {
  const globals = schema.patterns.flatMap(({ variables }) => variables);
  const scope = globalScope(schema, globals);
  const body = [
    ...globals.map(({ name, value }) => writeGlobal(name, compileXPath(value, scope))),
    '/** Every pattern with its rules. An element is checked by the first rule of each pattern that applies to it. */',
    'export const patterns: readonly Pattern[] = [',
    ...schema.patterns.filter(({ rules }) => rules.length > 0).map((pattern) => writePattern(pattern, scope)),
    '];',
  ].join('\n');
  return [
    '// @ts-nocheck generated from the Schematron files by `npm run generate`; the compiler is in tools/einvoice.',
    "import type { Pattern } from '../rule-set.ts';",
    ...Object.entries(library).flatMap(([module, names]) => importUsed(module, names, body)),
    '',
    `${body}\n`,
  ].join('\n');
}

function importUsed(module: string, names: readonly string[], body: string): string[] {
  const used = names.filter((name) => new RegExp(`(?<![\\w.'])${name}[(.]`).test(body));
  return used.length === 0 ? [] : [`import { ${used.join(', ')} } from '../xpath/${module}.ts';`];
}

function globalScope(schema: Schema, globals: readonly Variable[]): Scope {
  const variables = new Map<string, Code>();
  const scope: Scope = {
    node: 'node',
    variables,
    prefixOf: (prefix) => prefixes.get(schema.namespaces.get(prefix) ?? '') ?? fail(`the prefix ${prefix} is unknown`),
  };
  for (const { name, value } of globals) {
    const { type } = compileXPath(value, scope);
    variables.set(name, { js: `document.global('${name}', ${identifier(name)})`, type });
  }
  return scope;
}

function writeGlobal(name: string, { js }: Code): string {
  return `const ${identifier(name)} = (node, document) => ${js};`;
}

function writePattern({ rules }: Pattern, scope: Scope): string {
  return `  [\n${rules.map((rule) => writeRule(rule, scope)).join('\n')}\n  ],`;
}

function writeRule(rule: Rule, outer: Scope): string {
  const context = compileContext(rule.context, outer);
  const variables = new Map(outer.variables);
  for (const { name, value } of rule.variables) {
    variables.set(name, compileXPath(value, { ...outer, variables: new Map(variables) }));
  }
  const scope = { ...outer, variables };
  return [
    '    {',
    `      names: ${JSON.stringify(context.names)},`,
    `      applies: (node, document) => ${context.js},`,
    '      asserts: [',
    ...rule.asserts.map((assert) => writeAssert(assert, scope)),
    '      ],',
    '    },',
  ].join('\n');
}

function writeAssert({ id, test, severity, message }: Assert, scope: Scope): string {
  const text = message.map((part) => (typeof part === 'string' ? part : '')).join('');
  const terms = [...new Set(text.match(/\bB[TG]-\d+\b/g))];
  return [
    `        { id: '${id}', severity: '${severity}', businessTerms: ${JSON.stringify(terms)},`,
    `          holds: (node, document) => ${compileTest(test, scope)},`,
    `          text: (node, document) => ${writeMessage(message, id, scope)} },`,
  ].join('\n');
}

/** The text without the identifier at its start, which is stored separately. */
function writeMessage(message: Assert['message'], id: string, scope: Scope): string {
  const texts = message.map((part) => (typeof part === 'string' ? part.replace(/\s+/g, ' ') : part));
  const [first, ...rest] = texts;
  const start = typeof first === 'string' ? first.replace(`[${id}]`, '').replace(/^[\s-]+/, '') : first;
  const parts = [start ?? '', ...rest].filter((part) => part !== '');
  const [last] = parts.slice(-1);
  const trimmed = typeof last === 'string' ? [...parts.slice(0, -1), last.trimEnd()] : parts;
  return trimmed
    .map((part) => (typeof part === 'string' ? JSON.stringify(part) : asText(compileXPath(part.select, scope))))
    .join(' + ');
}

function identifier(name: string): string {
  return `global_${name.replace(/[^\w]/g, '_')}`;
}

function fail(message: string): never {
  throw new Error(message);
}
