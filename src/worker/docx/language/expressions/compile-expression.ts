import { fieldPath, recordPath, rowsPath } from '../field-path.ts';
import { placeInData } from '../grouped-items.ts';
import { isLoopHelper, own, parseName, pathTo } from '../parse-path.ts';
import { type Expression, joinPath } from '../scope.ts';
import { anyIndex, anyKey, type Use, type UseKind } from '../use.ts';
import { compileBinary } from './compile-binary.ts';
import { compileChoice, compileLogical, compileNot } from './compile-logic.ts';
import { compilePipe } from './compile-pipe.ts';
import { ExpressionError } from './expression-error.ts';
import type { ExpressionNode } from './generated-parser.js';
import type { Operand } from './operand.ts';
import { parseExpression } from './parse-expression.ts';

/** Compiles the syntax tree of an expression. */
export function compileExpression(node: ExpressionNode): Operand {
  switch (node.type) {
    case 'literal':
      return constant(node.value);
    case 'name':
      return lookup(parseName(checkedName(node.name)));
    case 'list':
      return lookup(pathTo([bracketedName(node.items)]));
    case 'member':
      return compileMember(node);
    case 'unary':
      return compileUnary(node.operator, compileExpression(node.argument));
    case 'binary':
      return compileBinary(node.operator, compileExpression(node.left), compileExpression(node.right));
    case 'logical':
      return compileLogical(node.operator, compileExpression(node.left), compileExpression(node.right));
    case 'choice':
      return compileChoice(
        compileExpression(node.test),
        compileExpression(node.whenTrue),
        compileExpression(node.whenFalse),
      );
    case 'pipe': {
      const input = compileExpression(node.input);
      return node.formatters.reduce(
        (value, { name, args }) => compilePipe(name, [value, ...args.map(compileExpression)], compileText),
        input,
      );
    }
  }
}

const compileText = (text: string): Operand => compileExpression(parseExpression(text));

/** `$locals` is reserved: Angular expressions, which this syntax follows, give it a meaning. */
function checkedName(name: string): string {
  if (name !== '$locals') return name;
  throw new ExpressionError('it is not a valid expression', 'use a formatter, for example {name | upper}');
}

function constant(value: unknown): Operand {
  const result = typeof value === 'number' ? 'number' : typeof value === 'string' ? 'text' : 'unknown';
  return {
    evaluate: () => value,
    locate: () => undefined,
    locateItem: () => undefined,
    uses: () => [],
    result,
    constant: { value },
  };
}

/** Looks up a name in the data; reports it to the context if it is missing. */
function lookup(path: Expression): Operand {
  return {
    evaluate: (scope) => {
      const value = path.evaluate(scope);
      if (value === undefined) scope.context.missing?.push(path.locate(scope));
      return value;
    },
    locate: (scope) => path.locate(scope),
    locateItem: (scope, _item, index) => placeInData(path.evaluate(scope), index) ?? `${path.locate(scope)}[${index}]`,
    uses: (kind) => path.uses(kind),
    result: 'unknown',
    isPath: true,
  };
}

function bracketedName(items: readonly ExpressionNode[]): string {
  const [item] = items;
  if (items.length === 1 && item?.type === 'literal' && typeof item.value === 'string') return item.value;
  throw new ExpressionError('lists cannot be written in a tag', 'put a name into the brackets: ["first name"]');
}

type Member = Extract<ExpressionNode, { type: 'member' }>;

function compileMember(node: Member): Operand {
  const known = knownPath(node);
  if (known === undefined) return compileKey(compileExpression(node.object), compileExpression(node.key));
  const [first, field] = known;
  if (first === '$field' && field !== undefined && known.length === 2) return lookup(fieldPath(field));
  if (first === '$rows' && field !== undefined && known.length === 2) return lookup(rowsPath(field));
  if (first === '$record' && field !== undefined && known.length === 2) return lookup(recordPath(field));
  const isPlain = known.every((segment) => !segment.includes('.'));
  return lookup(known[0] === '.' ? compilePathOfItem(known) : pathTo(known, isPlain ? known.join('.') : undefined));
}

/** `.["first name"]`: looked up in the current item only. */
function compilePathOfItem([, ...segments]: readonly string[]): Expression {
  return {
    evaluate: (scope) => segments.reduce(own, scope.value),
    locate: (scope) => segments.reduce(joinPath, scope.path),
    uses: (kind) => [{ segments, kind }],
  };
}

/** The keys of `a.b[0]["x y"]`, if all of them are written in the tag. */
function knownPath(node: ExpressionNode): string[] | undefined {
  if (node.type === 'name') return node.name === '.' ? ['.'] : checkedName(node.name).split('.');
  if (node.type === 'list') return [bracketedName(node.items)];
  if (node.type !== 'member' || node.key.type !== 'literal' || !isKey(node.key.value)) return undefined;
  const keys = knownPath(node.object);
  return keys === undefined ? undefined : [...keys, String(node.key.value)];
}

function isKey(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** `rates[currency]`: the key comes from the data too. */
function compileKey(object: Operand, key: Operand): Operand {
  const locate: Operand['locate'] = (scope) => {
    const path = object.locate(scope);
    const value = key.evaluate(scope);
    return path === undefined || !isKey(value) ? path : joinPath(path, String(value));
  };
  return {
    evaluate: (scope) => {
      const holder = object.evaluate(scope);
      const name = key.evaluate(scope);
      if (holder === undefined || name === undefined) return undefined;
      const value = isKey(name) ? own(holder, String(name)) : undefined;
      if (value === undefined) {
        const path = locate(scope);
        if (path !== undefined) scope.context.missing?.push(path);
      }
      return value;
    },
    locate,
    locateItem: (scope, _item, index) => {
      const path = locate(scope);
      return path === undefined ? undefined : `${path}[${index}]`;
    },
    uses: (kind) => keyUses(object, key, kind),
    result: 'unknown',
    ...(object.isPath === true && { isPath: true }),
  };
}

function keyUses(object: Operand, key: Operand, kind: UseKind): readonly Use[] {
  const ofKey = key.uses('print');
  const [holder, ...others] = object.uses('any');
  if (object.isPath !== true || holder === undefined) return [...object.uses('any'), ...ofKey];
  const written = key.constant === undefined ? undefined : String(key.constant.value);
  const counts = ofKey.length > 0 && ofKey.every(({ segments: [first = ''] }) => isLoopHelper(first));
  const step = written ?? (counts ? anyIndex : anyKey);
  const keys = step === anyKey ? [...(holder.keys ?? []), ofKey] : holder.keys;
  return [{ ...holder, segments: [...holder.segments, step], kind, keys }, ...others, ...ofKey];
}

function compileUnary(operator: '+' | '-' | '!', argument: Operand): Operand {
  if (operator === '!') return compileNot(argument);
  return compileBinary(operator === '-' ? '-' : '+', constant(0), argument);
}
