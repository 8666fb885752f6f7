import { atom, levels, type Piece, path, pipe, type Segment, within } from '../expressions/docmill-text.ts';
import { Untranslatable } from '../expressions/translate-javascript.ts';
import { textPiece } from './apply-formatters.ts';
import { chainOf, type Loop, type LoopedTag } from './find-loops.ts';
import type { Argument, CarboneSegment, Formatter, Item } from './parse-tag.ts';

/** Resolves the paths of a tag from its position in the template. */
export interface Scope {
  readonly tag: LoopedTag;
  readonly loops: readonly Loop[];
}

/** The value of a tag, and its remaining formatters; aggregations become part of the value. */
export function resolveTag(scope: Scope): { readonly value: Piece; readonly formatters: readonly Formatter[] } {
  const { tag } = scope;
  const { formatters } = tag.parsed;
  const [aggregation] = formatters;
  const at = tag.rest.findIndex(isList);
  if (at === -1 || aggregation?.name.startsWith('agg') !== true)
    return { value: resolveRest(tag.rest, tag.loop, scope), formatters };
  if (aggregation.args.length > 0 && aggregation.name !== 'aggStr') {
    throw new Untranslatable('Docmill aggregates whole lists. Nest the list in its groups instead.');
  }
  const list = filtered(resolveRest(tag.rest.slice(0, at), tag.loop, scope), itemsOf(tag.rest[at]), scope);
  const keys = tag.rest
    .slice(at + 1)
    .map((segment) => (segment.kind === 'name' ? segment.name : fail('Docmill aggregates one key.')));
  const key = keys.length === 0 ? [] : [textPiece(keys.join('.'))];
  if (aggregation.name === 'aggStr') {
    const value = key.length === 0 ? list : pipe(list, 'map', ...key);
    return {
      value: pipe(value, 'join', ...aggregation.args.map((one) => resolveArgument(one, scope))),
      formatters: formatters.slice(1),
    };
  }
  if (aggregation.name === 'aggCount') return { value: pipe(list, 'count'), formatters: formatters.slice(1) };
  const names = { aggSum: 'sum', aggAvg: 'avg', aggMin: 'min', aggMax: 'max' } as const;
  const name = Object.entries(names).find(([one]) => one === aggregation.name)?.[1];
  return {
    value: pipe(list, name ?? fail(`Docmill has no ${aggregation.name}.`), ...key),
    formatters: formatters.slice(1),
  };
}

/** Translates an argument of a formatter or a filter. */
export function resolveArgument(argument: Argument, scope: Scope): Piece {
  if (argument.kind === 'text') return textPiece(argument.text, argument.isQuoted);
  const { dots, root, segments } = argument;
  const { tag } = scope;
  if (dots === 0) return resolveAbsolute(root, segments, scope);
  const [first] = segments;
  if (dots === 1 && segments.length === 1 && first?.kind === 'name' && first.name === 'i') return atom('$index');
  return resolveAbsolute(tag.parsed.root, [...upwards(tag.parsed.segments, dots), ...segments], scope);
}

/** The path without its last segments; brackets belong to the preceding name. */
function upwards(segments: readonly CarboneSegment[], steps: number): readonly CarboneSegment[] {
  let end = segments.length;
  for (let step = 0; step < steps && end > 0; step++) {
    if (step > 0) while (end > 0 && segments[end - 1]?.kind === 'brackets') end -= 1;
    end -= 1;
  }
  return segments.slice(0, Math.max(end, 0));
}

function resolveAbsolute(root: string, segments: readonly CarboneSegment[], scope: Scope): Piece {
  const chain = chainOf(scope.tag.loop).toReversed();
  let loop: Loop | undefined;
  let rest: CarboneSegment[] = [];
  for (const segment of segments) {
    if (segment.kind === 'brackets' && segment.items.some(({ kind }) => kind === 'iterator')) {
      loop =
        chain[loop === undefined ? 0 : chain.indexOf(loop) + 1] ??
        fail('The list of the argument is not repeated here.');
      rest = [];
    } else rest.push(segment);
  }
  return resolveRest(rest, loop, scope, root);
}

/** A path from the item of a loop, or from the root. */
function resolveRest(
  rest: readonly CarboneSegment[],
  loop: Loop | undefined,
  scope: Scope,
  root = scope.tag.parsed.root,
): Piece {
  const isRootList = loop === undefined && rest[0]?.kind === 'brackets';
  const prefix: readonly CarboneSegment[] =
    loop === undefined && (root === 'c' || isRootList) ? [{ kind: 'name', name: root }] : [];
  const segments = [...prefix, ...rest];
  const [head] = segments;
  if (head?.kind === 'name') rejectShadow(head.name, loop, scope);
  let piece: Piece | undefined;
  let names: Segment[] = [];
  const flush = (): Piece => {
    const own = path(names) ?? fail('The name cannot be written in Docmill.');
    if (piece === undefined) return own;
    if (names.length === 0) return piece;
    const [first] = names;
    const separator = own.text.startsWith('[') || typeof first === 'number' ? '' : '.';
    return atom(`${within(piece, levels.atom)}${separator}${own.text}`);
  };
  for (const segment of segments) {
    if (segment.kind === 'name') names.push(segment.name);
    else {
      const [only] = segment.items;
      if (segment.items.length === 1 && only?.kind === 'index') names.push(only.index);
      else {
        piece = pipe(filtered(flush(), segment.items, scope), 'first');
        names = [];
      }
    }
  }
  return flush();
}

/** A list with its conditions and its sort order. */
function filtered(list: Piece, items: readonly Item[], scope: Scope): Piece {
  let piece = list;
  const keys = items.flatMap((item) => (item.kind === 'iterator' && item.key !== 'i' ? [item.key] : []));
  const isInOrder = items.some((item) => item.kind === 'iterator' && item.key === 'i');
  for (const item of items) if (item.kind === 'filter') piece = filter(piece, item, scope);
  if (!isInOrder) for (const key of keys) piece = pipe(piece, 'unique', textPiece(key));
  for (const key of keys.toReversed()) piece = pipe(piece, 'sort', textPiece(key));
  return piece;
}

function filter(list: Piece, { key, operator, value }: Item & { kind: 'filter' }, scope: Scope): Piece {
  if (key !== 'i') {
    const sign = operator === '==' ? [] : [textPiece(operator)];
    return pipe(list, 'where', textPiece(key), ...sign, resolveArgument(value, scope));
  }
  const number = value.kind === 'text' ? Number(value.text) : Number.NaN;
  if (!Number.isInteger(number) || number < 0) return fail('Docmill has no equivalent of this position.');
  const bounds: Readonly<Record<string, readonly number[]>> = {
    '<': [0, number],
    '<=': [0, number + 1],
    '>': [number + 1],
    '>=': [number],
  };
  const range = bounds[operator] ?? fail('Docmill has no equivalent of this position.');
  return pipe(list, 'slice', ...range.map((one) => atom(String(one))));
}

/** The list of a loop, as written in the opening tag. */
export function resolveList(loop: Loop, scope: Scope): Piece {
  const list =
    loop.list.length === 0 && loop.parent === undefined ? [{ kind: 'name', name: loop.root } as const] : loop.list;
  const isItem = list.length === 0;
  const rest = isItem ? atom('.') : resolveRest(list, loop.parent, scope, list === loop.list ? loop.root : 'd');
  return filtered(rest, [...loop.items.values()], scope);
}

/** Docmill searches the innermost item first, so a name in an inner list hides the same name outside. */
function rejectShadow(name: string, owner: Loop | undefined, { tag, loops }: Scope): void {
  const around = loops.filter(({ from, to }) => from <= tag.order && tag.order < to);
  const hiding = around.find((loop) => loop !== owner && !chainOf(owner).includes(loop) && loop.names.has(name));
  if (hiding !== undefined) {
    fail(`The items of the list also have ${name}, which Docmill finds first. Rename one of them in the data.`);
  }
}

const isList = (segment: CarboneSegment): boolean =>
  segment.kind === 'brackets' && segment.items.every(({ kind }) => kind === 'filter');

const itemsOf = (segment: CarboneSegment | undefined): readonly Item[] =>
  segment?.kind === 'brackets' ? segment.items : [];

function fail(message: string): never {
  throw new Untranslatable(message);
}
