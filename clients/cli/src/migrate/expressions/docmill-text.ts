/** Operator precedence; larger numbers bind tighter. */
export const levels = {
  pipe: 0,
  choice: 1,
  fallback: 2,
  or: 3,
  and: 4,
  equality: 5,
  order: 6,
  sum: 7,
  product: 8,
  unary: 9,
  atom: 10,
} as const;

type Level = (typeof levels)[keyof typeof levels];

/** A piece of an expression in Docmill's language. */
export interface Piece {
  readonly text: string;
  readonly level: Level;
}

export const atom = (text: string): Piece => ({ text, level: levels.atom });

/** Adds parentheses unless the piece binds at least as tightly as `level`. */
export function within(piece: Piece, level: Level): string {
  return piece.level >= level ? piece.text : `(${piece.text})`;
}

const operatorLevels: Readonly<Record<string, Level>> = {
  '??': levels.fallback,
  '||': levels.or,
  '&&': levels.and,
  '==': levels.equality,
  '!=': levels.equality,
  '===': levels.equality,
  '!==': levels.equality,
  '<': levels.order,
  '<=': levels.order,
  '>': levels.order,
  '>=': levels.order,
  '+': levels.sum,
  '-': levels.sum,
  '*': levels.product,
  '/': levels.product,
  '%': levels.product,
};

/** `left operator right`, or undefined if Docmill lacks the operator. */
export function binary(operator: string, left: Piece, right: Piece): Piece | undefined {
  const level = Object.hasOwn(operatorLevels, operator) ? operatorLevels[operator] : undefined;
  if (level === undefined) return undefined;
  const tighter = Math.min(level + 1, levels.atom) as Level;
  return { text: `${within(left, level)} ${operator} ${within(right, tighter)}`, level };
}

export function choice(test: Piece, whenTrue: Piece, whenFalse: Piece): Piece {
  const text = `${within(test, levels.fallback)} ? ${within(whenTrue, levels.fallback)} : ${within(whenFalse, levels.choice)}`;
  return { text, level: levels.choice };
}

export const not = (piece: Piece): Piece => ({ text: `!${within(piece, levels.unary)}`, level: levels.unary });

/** `input | formatter:argument:argument`. */
export function pipe(input: Piece, formatter: string, ...args: readonly Piece[]): Piece {
  const text = [
    `${within(input, levels.pipe)} | ${formatter}`,
    ...args.map((one) => within(one, levels.fallback)),
  ].join(':');
  return { text, level: levels.pipe };
}

/** A quoted string. Undefined if it contains braces, which end a tag, or both kinds of quotes. */
export function quoted(text: string): Piece | undefined {
  if (/[{}]/.test(text)) return undefined;
  return atom(
    `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`,
  );
}

const identifier = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;
const words = new Set(['and', 'or', 'not', 'true', 'false', 'null']);

/** A name, an index, or an expression in brackets. */
export type Segment = string | number | { readonly expression: Piece };

/** Writes a path, such as `customer.name`, `rows[0]`, `rates[currency]` or `["unit price"]`; `.` for an empty one. */
export function path(segments: readonly Segment[]): Piece | undefined {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'object') text += `[${segment.expression.text}]`;
    else if (typeof segment === 'number') text += `[${segment}]`;
    else if (identifier.test(segment) && !(text === '' && words.has(segment)))
      text += text === '' ? segment : `.${segment}`;
    else {
      const name = quoted(segment);
      if (name === undefined) return undefined;
      text += `[${name.text}]`;
    }
  }
  return atom(text === '' ? '.' : text);
}

/** The text of a tag. A lone name with spaces or hyphens needs no brackets. */
export function textOf({ text }: Piece): string {
  const [, name] = /^\["([\p{L}\p{N}_$ -]+)"\]$/u.exec(text) ?? [];
  return name ?? text;
}
