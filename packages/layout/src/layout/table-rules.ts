import { isSameBorder } from '../document/border-lines.ts';
import type { Border, CellBorders } from '../document/tree.ts';
import { linesOf, metBorder, requireKnownLines, type WholeRule } from './border-rule.ts';
import type { RuleItem } from './items.ts';
import type { RowLayout } from './row-layout.ts';

/** A border between two corners. Lengths are in twips from the upper left corner of the first row. */
interface Segment {
  /** The upper edge of a horizontal border, or the middle of a vertical one. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly border: Border;
  /** Whether it is on an edge of the table. */
  readonly isOuter: boolean;
}

/** The part of a cell within a row, with its borders there. */
interface Face {
  readonly left: number;
  readonly right: number;
  readonly borders: CellBorders;
  /** The row in which the cell begins. */
  readonly row: number;
  /** The number of rows that the cell still spans, including this one. */
  readonly rest: number;
}

/** The widths of the borders that meet in a corner. */
interface Corner {
  left: number;
  right: number;
  above: number;
  below: number;
}

/**
 * The borders of consecutive rows, as Writer joins them (`SwTabFramePainter`, `SdrFrameBorderPrimitive2D`): first
 * horizontal, then vertical ones, each drawn over those before it.
 */
export function tableRules(rows: readonly RowLayout[]): RuleItem[] {
  const faces = facesOf(rows);
  const [across, down] = [segmentsAcross(rows, faces), segmentsDown(rows, faces)];
  const cornerAt = openCorners(across, down);
  const [beside, atEnds] = [insetsOf(down), insetsOf(across)];
  const rules = [
    ...joined(
      across,
      across.map((one) => ruleAcross(one, beside, cornerAt)),
    ),
    ...joined(
      down,
      down.map((one) => ruleDown(one, atEnds, cornerAt)),
    ),
  ];
  return rules.some(({ lines }) => lines.length > 1) ? rules.flatMap(linesOf) : rules;
}

/** A merged cell takes its lower border from its last row. */
function facesOf(rows: readonly RowLayout[]): readonly (readonly Face[])[] {
  let above: readonly Face[] = [];
  return rows.map(({ cells }, row) => {
    above = cells.map(({ cell: { borders, rowSpan }, left, width }) => {
      const right = left + width;
      const over = rowSpan === 0 ? above.find((face) => face.left === left) : undefined;
      const rest = over === undefined ? rowSpan : over.rest - 1;
      const bottom = rest > 1 ? undefined : borders.bottom;
      if (over !== undefined)
        return { left, right, borders: { ...over.borders, top: undefined, bottom }, row: over.row, rest };
      return { left, right, borders: rest > 1 ? { ...borders, bottom } : borders, row, rest };
    });
    return above;
  });
}

function segmentsAcross(rows: readonly RowLayout[], faces: readonly (readonly Face[])[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (let index = 0; index <= rows.length; index++) {
    const [above, below] = [faces[index - 1] ?? [], faces[index] ?? []];
    const edges = edgesOf(above, below);
    for (let edge = 1; edge < edges.length; edge++) {
      const [from = 0, to = 0] = [edges[edge - 1], edges[edge]];
      const [upper, lower] = [faceAcross(above, from), faceAcross(below, from)];
      const border = wider(upper?.borders.bottom, lower?.borders.top);
      // The lower border of a cell that spans rows is not an outer one.
      const isOuter = index === 0 || (index === rows.length && upper?.row === index - 1);
      if (border !== undefined) segments.push({ at, from, to, border, isOuter });
    }
    at += rows[index]?.height ?? 0;
  }
  return segments;
}

/** The edges of the cells in two rows, from left to right. */
function edgesOf(above: readonly Face[], below: readonly Face[]): readonly number[] {
  const edges: number[] = [];
  for (const { left, right } of above.length === 0 ? below : above) {
    if (edges.at(-1) !== left) edges.push(left);
    edges.push(right);
  }
  const isKnown = (edge: number): boolean => edges.includes(edge);
  if (above.length === 0 || below.every(({ left, right }) => isKnown(left) && isKnown(right))) return edges;
  const all = new Set([...edges, ...below.flatMap(({ left, right }) => [left, right])]);
  return [...all].toSorted((one, other) => one - other);
}

function faceAcross(faces: readonly Face[], from: number): Face | undefined {
  return faces.find(({ left, right }) => left <= from && right > from);
}

function segmentsDown(rows: readonly RowLayout[], faces: readonly (readonly Face[])[]): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const [index, { height }] of rows.entries()) {
    const to = from + height;
    const across = faces[index] ?? [];
    for (let edge = 0; edge <= across.length; edge++) {
      const [left, right] = [across[edge - 1], across[edge]];
      const isLeftLater = left !== undefined && right !== undefined && left.row > right.row;
      const sides = [left?.borders.right, right?.borders.left] as const;
      const border = isLeftLater ? wider(sides[1], sides[0]) : wider(...sides);
      const at = right?.left ?? left?.right ?? 0;
      if (border !== undefined) segments.push({ at, from, to, border, isOuter: edge === 0 || edge === across.length });
    }
    from = to;
  }
  return segments.toSorted((one, other) => one.at - other.at);
}

/** If two borders have the same width, the later one wins (`SwTabFramePainter::Insert`). */
function wider(earlier: Border | undefined, later: Border | undefined): Border | undefined {
  if (earlier === undefined || later === undefined) return earlier ?? later;
  if (earlier.lines.length + later.lines.length > 2 && !isSameBorder(earlier, later)) throw metBorder();
  return earlier.width > later.width ? earlier : later;
}

function openCorners(across: readonly Segment[], down: readonly Segment[]): CornerAt {
  const columns = new Map<number, Map<number, Corner>>();
  const cornerAt = (x: number, y: number): Corner => {
    const column = columns.get(x) ?? new Map<number, Corner>();
    const known = column.get(y);
    if (known !== undefined) return known;
    const made = { left: 0, right: 0, above: 0, below: 0 };
    columns.set(x, column.set(y, made));
    return made;
  };
  for (const { at, from, to, border } of across) {
    cornerAt(from, at).right = border.width;
    cornerAt(to, at).left = border.width;
  }
  for (const { at, from, to, border } of down) {
    cornerAt(at, from).below = border.width;
    cornerAt(at, to).above = border.width;
  }
  return cornerAt;
}

/**
 * The distance by which an inner border ends before an edge: the width of the first border on that edge, wherever it
 * is.
 */
function insetsOf(segments: readonly Segment[]): InsetAt {
  const widths = new Map<number, number>();
  for (const { at, border, isOuter } of segments) if (isOuter && !widths.has(at)) widths.set(at, border.width);
  return (at) => widths.get(at) ?? 0;
}

/** Merges consecutive rules with the same border. */
function joined(segments: readonly Segment[], rules: readonly WholeRule[]): readonly WholeRule[] {
  const all: WholeRule[] = [];
  for (const [index, rule] of rules.entries()) {
    const [last, before, one] = [all.at(-1), segments[index - 1], segments[index]];
    const isBehind = before?.at === one?.at && before?.to === one?.from;
    const isSame = isSameBorder(before?.border, one?.border);
    if (last === undefined || last.reach === undefined || !isBehind || !isSame) all.push(rule);
    else {
      const reach = { ...last.reach, end: rule.reach?.end ?? 0 };
      all[all.length - 1] = { ...last, right: rule.right, bottom: rule.bottom, reach };
    }
  }
  return all;
}

type InsetAt = (at: number) => number;
type CornerAt = (x: number, y: number) => Corner;

/** Extends it by half of the thinner border that crosses its end. */
function ruleAcross({ at, from, to, border, isOuter }: Segment, insetAt: InsetAt, cornerAt: CornerAt): WholeRule {
  const covered = ({ above, below }: Corner): number =>
    (above === 0 || below === 0 ? above + below : Math.min(above, below)) / 2;
  const { width, lines, color } = border;
  const ends = { start: covered(cornerAt(from, at)), end: covered(cornerAt(to, at)) };
  if (lines.length > 1) requireKnownLines(lines, isOuter, ends.start + ends.end > 0);
  const reach = { ...ends, whole: width, distance: 0 };
  const [left, right] = isOuter ? [from, to] : [from + insetAt(from), to - insetAt(to)];
  const y = at + border.width / 2;
  return { kind: 'rule', left, right, top: y, bottom: y, width, lines, color, reach };
}

/** Extends it by the wider border that crosses its lower end. */
function ruleDown({ at, from, to, border, isOuter }: Segment, insetAt: InsetAt, cornerAt: CornerAt): WholeRule {
  const end = cornerAt(at, to);
  const { width, lines, color } = border;
  const reach = { start: 0, end: Math.max(end.left, end.right), whole: width, distance: 0 };
  if (lines.length > 1) {
    const start = cornerAt(at, from);
    requireKnownLines(lines, isOuter, reach.end + start.left + start.right > 0);
  }
  const [top, bottom] = isOuter ? [from, to] : [from + insetAt(from), to - insetAt(to)];
  return { kind: 'rule', left: at, right: at, top, bottom, width, lines, color, reach };
}
