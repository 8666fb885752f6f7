import { asBoolean, asMany, asOne, type Code, type Scope } from './code.ts';
import { emitCall } from './emit-call.ts';
import { type Expression, parseXPath } from './parse-xpath.ts';

export function compileXPath(source: string, scope: Scope): Code {
  return emit(parseXPath(source), scope);
}

/** JavaScript for the effective boolean value of an expression. */
export function compileTest(source: string, scope: Scope): string {
  return emitTest(parseXPath(source), scope);
}

export function emitTest(expression: Expression, scope: Scope): string {
  const code = emit(expression, scope);
  return code.type === 'nodes' ? emitExists(expression, scope) : asBoolean(code);
}

/**
 * JavaScript that tests whether a node exists for which a condition holds. Like Saxon, it stops at the first such node,
 * so that later ones cannot cause an error.
 */
function emitExists(expression: Expression, scope: Scope, condition?: (scope: Scope) => string): string {
  const inner = nested(scope);
  const some = (js: string) =>
    condition === undefined ? `${js}.length > 0` : `${js}.some((${inner.node}) => ${condition(inner)})`;
  if (expression.kind === 'step' && expression.axis === 'child' && isName(expression.test) && condition === undefined)
    return `has(${scope.node}, ${JSON.stringify(testOf(expression.test, scope))})`;
  if (expression.kind === 'filter' && !isPositional(expression.predicate)) {
    return emitExists(expression.base, scope, (each) =>
      bothHold(testOfNode(expression.predicate, each), condition?.(each)),
    );
  }
  if (expression.kind !== 'path') return some(emit(expression, scope).js);
  const { from, step } = expression;
  if (step.kind === 'filter' && !isPositional(step.predicate)) {
    const base: Expression = { kind: 'path', from, step: step.base };
    return emitExists(base, scope, (each) => bothHold(testOfNode(step.predicate, each), condition?.(each)));
  }
  if (mergeDescendants(from, step, scope) !== undefined) return some(emit(expression, scope).js);
  return emitExists(from, scope, (each) => emitExists(step, each, condition));
}

function bothHold(first: string, second: string | undefined): string {
  return second === undefined ? first : `${first} && ${second}`;
}

export function emit(expression: Expression, scope: Scope): Code {
  switch (expression.kind) {
    case 'string':
      return { js: JSON.stringify(expression.text), type: 'string' };
    case 'number':
      return emitNumber(expression.text);
    case 'variable':
      return variable(scope, expression.name);
    case 'context':
      return { js: `[${scope.node}]`, type: 'nodes' };
    case 'root':
      return { js: '[document.node]', type: 'nodes' };
    case 'call':
      return emitFunction(expression, scope);
    case 'sequence':
      return emitSequence(expression.items, scope);
    case 'binary':
      return emitBinary(expression, scope);
    case 'path':
      return emitPath(expression.from, expression.step, scope);
    case 'step':
      return emitStep({ js: `[${scope.node}]`, type: 'nodes' }, expression.axis, expression.test, scope);
    case 'filter':
      return emitFilter(expression.base, expression.predicate, scope);
    case 'each':
      return emitEach(expression, scope);
    case 'if':
      return emitIf(expression, scope);
  }
}

function emitFunction({ name, arguments: values }: Expression & { kind: 'call' }, scope: Scope): Code {
  const codes = values.map((each) => emit(each, scope));
  const [first] = values;
  // On a list of nodes, all three test whether it is empty.
  if (first !== undefined && codes[0]?.type === 'nodes' && ['not', 'boolean', 'exists'].includes(name)) {
    const test = emitTest(first, scope);
    return { js: name === 'not' ? `!(${test})` : `(${test})`, type: 'boolean' };
  }
  return emitCall(name, codes, scope);
}

function emitNumber(text: string): Code {
  if (/^\d+$/.test(text)) return { js: `Decimal.integer(${text})`, type: 'one' };
  return { js: /e/i.test(text) ? text : `Decimal.parse('${text}')`, type: 'one' };
}

function variable(scope: Scope, name: string): Code {
  const code = scope.variables.get(name);
  if (code === undefined) throw new Error(`the variable $${name} is not defined`);
  return code;
}

function emitSequence(items: readonly Expression[], scope: Scope): Code {
  const codes = items.map((item) => emit(item, scope));
  const isNodes = codes.length > 0 && codes.every(({ type }) => type === 'nodes');
  return {
    js: `[${codes.map((code) => (code.type === 'string' ? code.js : `...${asMany(code)}`)).join(', ')}]`,
    type: isNodes ? 'nodes' : 'many',
  };
}

const valueComparisons: Record<string, string> = { eq: '=', ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>=' };

function emitBinary({ operator, left, right }: Expression & { kind: 'binary' }, scope: Scope): Code {
  const one = emit(left, scope);
  const other = emit(right, scope);
  if (operator === 'or' || operator === 'and') {
    const connective = operator === 'or' ? '||' : '&&';
    return { js: `(${emitTest(left, scope)} ${connective} ${emitTest(right, scope)})`, type: 'boolean' };
  }
  if (operator === '|' || operator === 'union') return { js: `union(${one.js}, ${other.js})`, type: 'nodes' };
  const comparison = valueComparisons[operator];
  if (comparison !== undefined)
    return { js: `compareValues('${comparison}', ${asOne(one)}, ${asOne(other)})`, type: 'one' };
  if (/[=<>]/.test(operator)) return { js: emitComparison(operator, left, right, scope), type: 'boolean' };
  return { js: `calculate('${operator}', ${asOne(one)}, ${asOne(other)})`, type: 'one' };
}

/** Most comparisons are between strings, which need no conversion. */
function emitComparison(operator: string, left: Expression, right: Expression, scope: Scope): string {
  const one = emit(left, scope);
  const other = emit(right, scope);
  const isEquality = operator === '=' || operator === '!=';
  if (isEquality && one.type === 'string' && other.type === 'string')
    return `(${one.js} ${operator === '=' ? '===' : '!=='} ${other.js})`;
  const texts = right.kind === 'sequence' ? right.items : [right];
  if (operator === '=' && texts.length > 0 && texts.every(({ kind }) => kind === 'string')) {
    const list = texts.map((text) => emit(text, scope).js);
    const equals = (js: string) =>
      list.length === 1 ? `${js} === ${list[0]}` : `[${list.join(', ')}].includes(${js})`;
    if (one.type === 'nodes') return emitExists(left, scope, ({ node }) => equals(`${node}.value`));
    if (one.type === 'string') return equals(one.js);
  }
  return `compare('${operator}', ${asMany(one)}, ${asMany(other)})`;
}

function emitPath(from: Expression, step: Expression, scope: Scope): Code {
  const merged = mergeDescendants(from, step, scope);
  if (merged !== undefined) return merged;
  const start = emit(from, scope);
  if (start.type !== 'nodes') throw new Error('a path starts at values that are not nodes');
  if (step.kind === 'context') return start;
  if (step.kind === 'step') return emitStep(start, step.axis, step.test, scope);
  if (step.kind === 'filter' && step.base.kind === 'step' && !isPositional(step.predicate)) {
    const base = emitStep(start, step.base.axis, step.base.test, scope);
    return { js: filtered(base, step.predicate, scope), type: 'nodes' };
  }
  const inner = nested(scope);
  const each = emit(step, inner);
  const flat = `${start.js}.flatMap((${inner.node}) => ${asMany(each)})`;
  return each.type === 'nodes' ? { js: `inOrder(${flat})`, type: 'nodes' } : { js: flat, type: 'many' };
}

/** Compiles `//name` without visiting every node, because the document has an index of its elements. */
function mergeDescendants(from: Expression, step: Expression, scope: Scope): Code | undefined {
  const isAnywhere = from.kind === 'path' && from.step.kind === 'step' && from.step.axis === 'descendant-or-self';
  if (!isAnywhere || from.from.kind !== 'root') return undefined;
  if (step.kind === 'filter' && !isPositional(step.predicate)) {
    const base = mergeDescendants(from, step.base, scope);
    return base === undefined ? undefined : { js: filtered(base, step.predicate, scope), type: 'nodes' };
  }
  if (step.kind === 'binary' && step.operator === '|') {
    const [left, right] = [mergeDescendants(from, step.left, scope), mergeDescendants(from, step.right, scope)];
    return left && right && { js: `union(${left.js}, ${right.js})`, type: 'nodes' };
  }
  if (step.kind !== 'step' || !isName(step.test)) return undefined;
  const name = JSON.stringify(testOf(step.test, scope));
  if (step.axis === 'attribute') return { js: `document.attributesNamed(${name})`, type: 'nodes' };
  return step.axis === 'child' ? { js: `document.named(${name})`, type: 'nodes' } : undefined;
}

function emitStep(from: Code, axis: string, test: string, scope: Scope): Code {
  const name = JSON.stringify(testOf(test, scope));
  const alone = /^\[([\w$]+(?:\.node)?)\]$/.exec(from.js)?.[1];
  if (axis === 'child' && isName(test) && alone !== undefined) return { js: `child(${alone}, ${name})`, type: 'nodes' };
  if (axis === 'child' && isName(test)) return { js: `children(${from.js}, ${name})`, type: 'nodes' };
  if (axis === 'attribute' && isName(test)) return { js: `attribute(${from.js}, ${name})`, type: 'nodes' };
  if (axis === 'preceding' && isName(test)) return { js: `preceding(${from.js}, ${name}, document)`, type: 'nodes' };
  return { js: `step(${from.js}, '${axis}', ${name})`, type: 'nodes' };
}

function isName(test: string): boolean {
  return !/[*(]/.test(test);
}

export function testOf(test: string, scope: Scope): string {
  const [prefix, local] = test.split(':');
  return local === undefined ? test : `${scope.prefixOf(prefix ?? '')}:${local}`;
}

function emitFilter(base: Expression, predicate: Expression, scope: Scope): Code {
  const code = emit(base, scope);
  if (predicate.kind === 'number') return { js: `at(${asMany(code)}, ${predicate.text})`, type: manyOf(code) };
  if (isLast(predicate)) return { js: `${asMany(code)}.slice(-1)`, type: manyOf(code) };
  if (code.type !== 'nodes') return emitValueFilter(code, predicate, scope);
  return { js: filtered(code, predicate, scope), type: 'nodes' };
}

/** In a predicate on values, the context is not a node. Rules only pass it to string functions. */
function emitValueFilter(code: Code, predicate: Expression, scope: Scope): Code {
  const inner = nested(scope);
  const test = emit(withoutContext(predicate), {
    ...inner,
    variables: new Map([...scope.variables, ['.', { js: inner.node, type: 'one' }]]),
  });
  return { js: `${asMany(code)}.filter((${inner.node}) => ${asBoolean(test)})`, type: 'many' };
}

function withoutContext(expression: Expression): Expression {
  if (expression.kind === 'context') return { kind: 'variable', name: '.' };
  if (expression.kind === 'call') return { ...expression, arguments: expression.arguments.map(withoutContext) };
  if (expression.kind === 'string' || expression.kind === 'number') return expression;
  throw new Error(`a predicate on values contains ${expression.kind}`);
}

function manyOf({ type }: Code): 'nodes' | 'many' {
  return type === 'nodes' ? 'nodes' : 'many';
}

function filtered(base: Code, predicate: Expression, scope: Scope): string {
  const inner = nested(scope);
  return `${base.js}.filter((${inner.node}) => ${testOfNode(predicate, inner)})`;
}

/** JavaScript that tests a predicate on one node. */
function testOfNode(predicate: Expression, scope: Scope): string {
  if (canBeNumber(predicate, emit(predicate, scope), scope))
    throw new Error('a predicate could be a position or a boolean');
  return emitTest(predicate, scope);
}

function canBeNumber(predicate: Expression, { type }: Code, scope: Scope): boolean {
  if (type !== 'one' && type !== 'many') return false;
  if (predicate.kind !== 'path') return true;
  const last = emit(predicate.step, scope);
  return last.type !== 'boolean' && last.type !== 'string';
}

function isPositional(predicate: Expression): boolean {
  return predicate.kind === 'number' || isLast(predicate);
}

function isLast(predicate: Expression): boolean {
  return predicate.kind === 'call' && predicate.name === 'last';
}

function emitEach({ form, variable: name, items, body }: Expression & { kind: 'each' }, scope: Scope): Code {
  const source = emit(items, scope);
  const local = `$${scope.variables.size}`;
  const value: Code = source.type === 'nodes' ? { js: `[${local}]`, type: 'nodes' } : { js: local, type: 'one' };
  const inner = { ...scope, variables: new Map([...scope.variables, [name, value]]) };
  const list = asMany(source);
  if (form === 'for') return { js: `${list}.flatMap((${local}) => ${asMany(emit(body, inner))})`, type: 'many' };
  return {
    js: `${list}.${form === 'some' ? 'some' : 'every'}((${local}) => ${emitTest(body, inner)})`,
    type: 'boolean',
  };
}

function emitIf({ condition, then, otherwise }: Expression & { kind: 'if' }, scope: Scope): Code {
  const yes = emit(then, scope);
  const no = emit(otherwise, scope);
  const test = emitTest(condition, scope);
  if (yes.type === no.type) return { js: `(${test} ? ${yes.js} : ${no.js})`, type: yes.type };
  return { js: `(${test} ? ${asMany(yes)} : ${asMany(no)})`, type: 'many' };
}

/** A scope with a new variable for the context node, so that nested expressions refer to the right node. */
function nested(scope: Scope): Scope {
  return { ...scope, node: `node${Number(/\d+$/.exec(scope.node)?.[0] ?? 1) + 1}` };
}
