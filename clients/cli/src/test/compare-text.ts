import type { PageText, Segment } from './page-text.ts';
import { isOnPage, type Mask } from './rules.ts';

interface TextRules {
  readonly page: number;
  readonly masks: readonly Mask[];
  /** The distance that a text may move, in points. */
  readonly movedPt: number;
}

/** Page sizes may differ by this much, in points, because engines round them. */
const pageSizePt = 0.5;
/** A new text within this distance, in points, counts as changed. */
const samePlacePt = 2;

/** Describes the differences between two pages as sentences; none if their texts are equal. */
export function compareTexts(expected: PageText, actual: PageText, rules: TextRules): readonly string[] {
  const [before, after] = [unmasked(expected.segments, rules), unmasked(actual.segments, rules)];
  const { pairs, lost, added } = pairSegments(before, after);
  const remaining = new Set(added);
  const changes = lost.map((segment) => {
    const successor = [...remaining].find((candidate) => isSamePlace(segment, candidate));
    if (successor === undefined) return `${quoted(segment.text)} is missing`;
    remaining.delete(successor);
    return `${quoted(segment.text)} became ${quoted(successor.text)}`;
  });
  return [
    ...sizeChange(expected, actual),
    ...changes,
    ...[...remaining].map(({ text }) => `${quoted(text)} is new`),
    ...pairs.flatMap(([one, other]) => move(one, other, rules.movedPt)),
  ];
}

function unmasked(segments: readonly Segment[], { masks, page }: TextRules): readonly Segment[] {
  const here = masks.filter((mask) => isOnPage(mask, page));
  return segments.filter(
    ({ x, y, width }) =>
      !here.some((mask) => {
        const middle = x + width / 2;
        return middle >= mask.x && middle <= mask.x + mask.width && y >= mask.y && y <= mask.y + mask.height;
      }),
  );
}

type Pair = readonly [before: Segment, after: Segment];

/** Pairs equal texts: first those in the same place, then the others in order. */
function pairSegments(
  before: readonly Segment[],
  after: readonly Segment[],
): { readonly pairs: readonly Pair[]; readonly lost: readonly Segment[]; readonly added: readonly Segment[] } {
  const free = new Map<string, Segment[]>();
  for (const segment of after) {
    const group = free.get(segment.text);
    if (group === undefined) free.set(segment.text, [segment]);
    else group.push(segment);
  }
  const pairs: Pair[] = [];
  const take = (segment: Segment, isFit: (candidate: Segment) => boolean): boolean => {
    const candidates = free.get(segment.text) ?? [];
    const index = candidates.findIndex(isFit);
    const [found] = index < 0 ? [] : candidates.splice(index, 1);
    if (found !== undefined) pairs.push([segment, found]);
    return found !== undefined;
  };
  const moved = before.filter((segment) => !take(segment, (candidate) => isSamePlace(segment, candidate)));
  const lost = moved.filter((segment) => !take(segment, () => true));
  return { pairs, lost, added: [...free.values()].flat() };
}

function isSamePlace(one: Segment, other: Segment): boolean {
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= samePlacePt;
  // Right-aligned text keeps its right edge.
  return near(one.y, other.y) && (near(one.x, other.x) || near(one.x + one.width, other.x + other.width));
}

function sizeChange(expected: PageText, actual: PageText): readonly string[] {
  const difference = Math.max(Math.abs(expected.width - actual.width), Math.abs(expected.height - actual.height));
  const size = ({ width, height }: PageText): string => `${width} × ${height} pt`;
  return difference <= pageSizePt ? [] : [`the page measures ${size(actual)}, not ${size(expected)}`];
}

function move(before: Segment, after: Segment, movedPt: number): readonly string[] {
  const [right, down] = [after.x - before.x, after.y - before.y];
  const parts = [
    ...(Math.abs(right) > movedPt ? [`${Math.abs(right).toFixed(1)} pt ${right > 0 ? 'right' : 'left'}`] : []),
    ...(Math.abs(down) > movedPt ? [`${Math.abs(down).toFixed(1)} pt ${down > 0 ? 'down' : 'up'}`] : []),
  ];
  return parts.length === 0 ? [] : [`${quoted(before.text)} moved ${parts.join(' and ')}`];
}

const maxQuotedChars = 80;
const quoted = (text: string): string =>
  `"${text.length > maxQuotedChars ? `${text.slice(0, maxQuotedChars)}…` : text}"`;
