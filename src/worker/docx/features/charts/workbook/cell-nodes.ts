import type { FeatureNode, Node } from '../../../core/nodes.ts';
import type { RenderState } from '../../../core/render/render-state.ts';
import { evaluate, noteMissing, noteProblem, printedText, writtenTag } from '../../../core/render/tag-value.ts';
import { writeMissingTag, writeValue } from '../../../core/render/write-value.ts';
import type { AskingNode, ValueNode } from '../../../core/value-node.ts';
import { parseTagText } from '../../../language/expressions/parse-tag-text.ts';
import type { ScannedTag, TagProblem } from '../../../language/scan-tags.ts';
import type { Expression, Scope } from '../../../language/scope.ts';
import { type CellValue, filledSheet } from './filled-sheet.ts';

interface CellText {
  /** Escaped as XML. */
  readonly text: string;
  readonly tags: readonly ScannedTag[];
  /** Tags of sections around the row, which do not belong to the cell. */
  readonly ofRows: ReadonlySet<ScannedTag>;
  /** Whether the chart draws its value. */
  readonly isNumber: boolean;
  readonly column: number;
  readonly sheet: string;
}

/** The nodes that fill one cell: with the value of its only tag, or with text. */
export function cellNodes(cell: CellText): { readonly nodes: readonly Node[] } | { readonly problem: TagProblem } {
  const { isNumber, tags, ofRows } = cell;
  const pieces = piecesOf(cell);
  const texts = pieces.filter((piece) => typeof piece !== 'string' || piece.trim() !== '');
  const [only] = texts;
  if (only === undefined) return { nodes: [] };
  if (texts.length === 1 && typeof only !== 'string' && only.kind === 'value')
    return { nodes: [valueCell(only, cell)] };
  if (isNumber && tags.some((tag) => !ofRows.has(tag))) return { problem: notOneNumber(tags, ofRows) };
  return { nodes: textCell(pieces, cell) };
}

function notOneNumber(tags: readonly ScannedTag[], ofRows: ReadonlySet<ScannedTag>): TagProblem {
  const { written = '', offset = 0 } = tags.find((tag) => !ofRows.has(tag)) ?? {};
  const message = `the tag ${written} is not alone in its cell, and the chart draws the value of the cell`;
  return { message, tag: written, offset, hint: 'write one tag with a number into the cell' };
}

/** The text and the tags of the cell, without tags of rows. */
function piecesOf({ text, tags, ofRows }: CellText): (string | ScannedTag)[] {
  const pieces: (string | ScannedTag)[] = [];
  let read = 0;
  for (const tag of tags) {
    pieces.push(text.slice(read, tag.offset));
    if (!ofRows.has(tag)) pieces.push(tag);
    read = text.indexOf('}', tag.offset) + 1;
  }
  pieces.push(text.slice(read));
  return pieces.filter((piece) => piece !== '');
}

function textCell(pieces: readonly (string | ScannedTag)[], { column, sheet }: CellText): readonly Node[] {
  const start: FeatureNode = {
    kind: 'feature',
    render: (_, state) => {
      filledSheet(state, sheet).textStart = state.output.pieces.length;
    },
  };
  const end: FeatureNode = {
    kind: 'feature',
    render: (_, state) => {
      const filled = filledSheet(state, sheet);
      filled.setCell(column, state.output.pieces.splice(filled.textStart).join('').trim());
    },
  };
  return [start, ...textNodes(pieces), end];
}

function textNodes(pieces: readonly (string | ScannedTag)[]): readonly Node[] {
  const levels: Node[][] = [[]];
  const open: ScannedTag[] = [];
  for (const piece of pieces) {
    if (typeof piece === 'string') levels.at(-1)?.push({ kind: 'text', xml: piece, mark: undefined });
    else if (piece.kind === 'value') levels.at(-1)?.push(valueNode(piece));
    else if (piece.kind !== 'close') {
      open.push(piece);
      levels.push([]);
    } else {
      const tag = open.pop();
      const body = levels.pop() ?? [];
      if (tag === undefined) continue;
      const expression = parseTagText(tag.text);
      const isInverted = tag.kind === 'inverted';
      levels.at(-1)?.push({ kind: 'section', tag: tag.text, expression, isInverted, body, layout: undefined });
    }
  }
  return levels[0] ?? [];
}

function valueNode({ text: tag }: ScannedTag): ValueNode {
  const expression = parseTagText(tag);
  return { kind: 'value', expression, tag, host: 'plain', runProperties: undefined, mayLink: false };
}

/** Fills a cell with the value of one tag: numbers stay numbers, and where the chart draws them nothing else is allowed. */
function valueCell({ text: tag }: ScannedTag, { column, sheet, isNumber }: CellText): FeatureNode {
  const expression = parseTagText(tag);
  const asks = { tag, expression: isNumber ? asNumber(expression) : expression };
  return {
    kind: 'feature',
    asks,
    render: (scope, state) => {
      state.budget.lookup(tag);
      const value = evaluate(asks, scope, state);
      if (value === undefined) noteMissing(asks, scope, state);
      const isHighlighted = value === undefined && !isNumber && state.onMissing === 'highlight';
      const read = isNumber ? readNumber(value, asks, scope, state) : readAny(value, asks, scope, state);
      filledSheet(state, sheet).setCell(
        column,
        isHighlighted ? writeMissingTag(writtenTag(asks, state), undefined) : read,
      );
    },
  };
}

/** Makes the template's schema report the value as a number. */
function asNumber(expression: Expression): Expression {
  return { ...expression, uses: (kind) => expression.uses(kind === 'print' ? 'number' : kind) };
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** Reads a number, including one in a string, as JSON often holds amounts. Undefined leaves a gap in the chart. */
function readNumber(value: unknown, asks: AskingNode, scope: Scope, state: RenderState): CellValue {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && decimal.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  noteProblem(asks, 'is not a number, which the chart needs', scope, state);
  return undefined;
}

function readAny(value: unknown, asks: AskingNode, scope: Scope, state: RenderState): CellValue {
  const text = printedText(asks, value, scope, state);
  if (text === undefined || text === '') return undefined;
  const isNumber = typeof value === 'number';
  const written = isNumber ? value : writeValue(text, 'plain');
  state.budget.write(text.length, asks.tag);
  return written;
}
