import {
  type Expression,
  type MemberExpression,
  type ParenthesizedExpression,
  type PrivateIdentifier,
  parse as parseProgram,
  type SpreadElement,
  type Super,
} from 'acorn';
import {
  atom,
  binary,
  choice,
  levels,
  not,
  type Piece,
  path,
  pipe,
  quoted,
  type Segment,
  within,
} from './docmill-text.ts';
import { type MethodCall, translateCall } from './translate-call.ts';

/** An expression without an equivalent. The message names the offending part. */
export class Untranslatable extends Error {
  readonly write: string | undefined;

  constructor(message: string, write?: string) {
    super(message);
    this.write = write;
  }
}

export interface Translation {
  readonly piece: Piece;
  /** Reasons why the result may print something else. */
  readonly checks: readonly string[];
}

/**
 * Resolves a name at the start of a path to a path in Docmill's scope. `isHolder`: the expression reads a property of
 * the value, such as its length. Throws Untranslatable.
 */
export type ResolveName = (segments: readonly Segment[], isHolder?: boolean) => readonly Segment[];

type Node = Expression | PrivateIdentifier | Super | SpreadElement;

const maxChars = 2_000;
const maxDepth = 30;

/** Translates a JavaScript (or Angular) expression. Throws Untranslatable. */
export function translateJavaScript(source: string, resolve: ResolveName = (segments) => segments): Translation {
  if (source.length > maxChars) throw new Untranslatable(`The expression is longer than ${maxChars} characters.`);
  const checks: string[] = [];
  const piece = new Translator(resolve, checks).translate(parse(source), 0);
  return { piece, checks: [...new Set(checks)] };
}

/** Translates the values of an object literal, `{ url: a.b, label: c }`, by key. Throws Untranslatable. */
export function translateObject(source: string, resolve: ResolveName): Readonly<Record<string, Piece>> {
  if (source.length > maxChars) throw new Untranslatable(`The expression is longer than ${maxChars} characters.`);
  const node = parse(source);
  if (node.type !== 'ObjectExpression') throw new Untranslatable('It is not an object with keys and values.');
  const translator = new Translator(resolve, []);
  return Object.fromEntries(
    node.properties.flatMap((one) =>
      one.type === 'Property' && one.key.type === 'Identifier'
        ? [[one.key.name, translator.translate(one.value, 0)]]
        : [],
    ),
  );
}

function parse(source: string): Expression {
  try {
    // Parentheses prevent an object from being parsed as a block; the line break ends a trailing comment.
    const { body } = parseProgram(`(${source}\n)`, { ecmaVersion: 2022 });
    const [only] = body;
    if (body.length === 1 && only?.type === 'ExpressionStatement') return only.expression;
  } catch {
    // Reported below.
  }
  throw new Untranslatable('It is not a single expression.');
}

class Translator {
  readonly #resolve: ResolveName;
  readonly #checks: string[];

  constructor(resolve: ResolveName, checks: string[]) {
    this.#resolve = resolve;
    this.#checks = checks;
  }

  translate(node: Node, depth: number): Piece {
    if (depth > maxDepth) throw new Untranslatable('The expression is nested too deeply.');
    const next = (inner: Node): Piece => this.translate(inner, depth + 1);
    switch (node.type) {
      case 'Literal':
        return this.#literal(node.value);
      case 'Identifier':
      case 'ThisExpression':
        return this.#path(node, next) ?? fail('The name cannot be written in Docmill.');
      case 'MemberExpression':
        return this.#member(node, next);
      case 'ChainExpression':
        return next(node.expression);
      case 'ParenthesizedExpression':
        return next((node as ParenthesizedExpression).expression);
      case 'UnaryExpression':
        if (node.operator === '!') return not(next(node.argument));
        if (node.operator === '-' || node.operator === '+') {
          return { text: `${node.operator}${within(next(node.argument), levels.unary)}`, level: levels.unary };
        }
        return fail(`Docmill has no operator ${node.operator}.`);
      case 'BinaryExpression':
      case 'LogicalExpression':
        return (
          binary(node.operator, next(node.left), next(node.right)) ?? fail(`Docmill has no operator ${node.operator}.`)
        );
      case 'ConditionalExpression':
        return choice(next(node.test), next(node.consequent), next(node.alternate));
      case 'TemplateLiteral': {
        const texts = node.quasis.map(({ value }) => value.cooked ?? value.raw);
        const pieces = texts.flatMap((text, i) => {
          const value = node.expressions[i];
          return [...(text === '' ? [] : [this.#literal(text)]), ...(value === undefined ? [] : [next(value)])];
        });
        const [first = this.#literal(''), ...rest] = pieces;
        return rest.reduce((left, right) => binary('+', left, right) ?? left, first);
      }
      case 'CallExpression':
        return this.#call(node, next);
      case 'AssignmentExpression':
        return fail('Docmill stores no values. Calculate the value before you send it.');
      default:
        return fail('Docmill has no equivalent of this JavaScript. Calculate the value before you send it.');
    }
  }

  #literal(value: unknown): Piece {
    if (typeof value === 'string')
      return quoted(value) ?? fail('A text in a tag cannot have braces. Send it as a value.');
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) return atom(String(value));
    return fail('Docmill has no equivalent of this value.');
  }

  #member(node: MemberExpression, next: (inner: Node) => Piece): Piece {
    const { object, property, computed } = node;
    if (!computed && property.type === 'Identifier' && property.name === 'length') {
      this.#visitHolder(object, next);
      return pipe(next(object), 'count');
    }
    const whole = this.#path(node, next);
    if (whole !== undefined) return whole;
    const holder = within(next(object), levels.atom);
    if (!computed && property.type === 'Identifier') return atom(`${holder}.${property.name}`);
    return atom(`${holder}[${next(property).text}]`);
  }

  #visitHolder(node: Node, next: (inner: Node) => Piece): void {
    const segments = this.#segments(node, next);
    if (segments !== undefined) this.#resolve(segments, true);
  }

  /** The node as a path that begins with a name; undefined if it begins with anything else. */
  #path(node: Node, next: (inner: Node) => Piece): Piece | undefined {
    const segments = this.#segments(node, next);
    return segments === undefined ? undefined : path(this.#resolve(segments));
  }

  #segments(node: Node, next: (inner: Node) => Piece): readonly Segment[] | undefined {
    if (node.type === 'Identifier')
      return node.name === 'undefined' ? fail('Docmill has no undefined; compare with null.') : [node.name];
    if (node.type === 'ThisExpression') return [];
    if (node.type === 'ChainExpression') return this.#segments(node.expression, next);
    if (node.type !== 'MemberExpression') return undefined;
    const holder = this.#segments(node.object, next);
    if (holder === undefined) return undefined;
    const { property, computed } = node;
    if (!computed) return property.type === 'Identifier' ? [...holder, property.name] : undefined;
    if (property.type !== 'Literal') return [...holder, { expression: next(property) }];
    return typeof property.value === 'number' || typeof property.value === 'string'
      ? [...holder, property.value]
      : undefined;
  }

  #call(node: Expression & { type: 'CallExpression' }, next: (inner: Node) => Piece): Piece {
    const { callee } = node;
    const object = callee.type === 'MemberExpression' ? callee.object : undefined;
    const name =
      callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier'
        ? callee.property.name
        : callee.type === 'Identifier'
          ? callee.name
          : undefined;
    if (name === undefined) return fail('Docmill calls no functions.');
    const global =
      object?.type === 'Identifier' &&
      ['Math', 'JSON', 'Object', 'Array', 'Number', 'String', 'Date'].includes(object.name)
        ? object.name
        : undefined;
    if (object !== undefined && global === undefined) this.#visitHolder(object, next);
    const call: MethodCall = {
      name: global === undefined ? name : `${global}.${name}`,
      on: object === undefined || global !== undefined ? undefined : () => next(object),
      args: node.arguments,
      translate: next,
      check: (reason) => this.#checks.push(reason),
    };
    const piece = translateCall(call);
    return piece ?? fail(`Docmill has no function ${name}. Calculate the value before you send it.`);
  }
}

function fail(message: string): never {
  throw new Untranslatable(message);
}
