import { isOnPage, type Mask } from './mask.ts';
import type { Measures } from './measures.ts';
import type { Word } from './read-words.ts';

type PlacedWord = Measures['words']['firstLost'][number];

export type WordComparison = Measures['words'] & {
  /** The longest distance that a word moved, in points, by page. */
  readonly movedPtByPage: ReadonlyMap<number, number>;
};

const listed = 40;

/**
 * Compares words and positions. A word that is split differently ("W ord") is the same, and reordered words are not
 * lost. Words within a mask are ignored.
 */
export function compareWords(
  allOld: readonly Word[],
  allNew: readonly Word[],
  { masks, movedPt }: { readonly masks: readonly Mask[]; readonly movedPt: number },
): WordComparison {
  const oldWords = allOld.filter((word) => !isMasked(word, masks));
  const newWords = allNew.filter((word) => !isMasked(word, masks));
  const { pairs, lost, added } = pairWords(oldWords, newWords);
  const repaged = pairs.filter(([before, after]) => before.page !== after.page).map(([before]) => before);
  const distances = pairs
    .filter(([before, after]) => before.page === after.page)
    .map(([before, after]) => ({ ...toPlaced(before), byPt: distance(before, after) }));
  const movedPtByPage = new Map<number, number>();
  for (const { page, byPt } of distances) movedPtByPage.set(page, Math.max(movedPtByPage.get(page) ?? 0, byPt));
  // Words that are split differently mix styles differently.
  const restyled = pairs
    .filter(([before, after]) => before.text === after.text)
    .map(([before, after]) => ({ ...toPlaced(before), styles: differingStyles(before, after) }))
    .filter(({ styles }) => styles !== '');
  const moved = distances.filter(({ byPt }) => byPt > movedPt);
  return {
    oldWords: oldWords.length,
    newWords: newWords.length,
    lost: lost.length,
    added: added.length,
    firstLost: lost.slice(0, listed).map(toPlaced),
    firstAdded: added.slice(0, listed).map(toPlaced),
    repaged: repaged.length,
    firstRepaged: repaged.slice(0, listed).map(toPlaced),
    moved: moved.length,
    farthest: moved.toSorted((a, b) => b.byPt - a.byPt).slice(0, listed),
    restyled: restyled.length,
    firstRestyled: restyled.slice(0, listed),
    movedPtByPage,
  };
}

const maxTextChars = 80;
const toPlaced = ({ text, page }: Word): PlacedWord => ({ text: text.slice(0, maxTextChars), page });

function isMasked({ page, left, right, y }: Word, masks: readonly Mask[]): boolean {
  const x = (left + right) / 2;
  return masks.some(
    (mask) =>
      isOnPage(mask, page) && x >= mask.x && x <= mask.x + mask.width && y >= mask.y && y <= mask.y + mask.height,
  );
}

/**
 * How far a word has moved on its page. Of its two edges, the one that moved less counts, because a word may become
 * wider without moving.
 */
function distance(before: Word, after: Word): number {
  const x = Math.min(Math.abs(after.left - before.left), Math.abs(after.right - before.right));
  return Math.round(Math.hypot(x, after.y - before.y) * 100) / 100;
}

/** Engines round sizes to tenths of a point. */
const maxSizePt = 0.15;

function differingStyles(before: Word, after: Word): string {
  const styles = [
    ...(before.font === after.font ? [] : ['font']),
    ...(Math.abs(before.sizePt - after.sizePt) <= maxSizePt ? [] : ['size']),
    ...(before.colour === after.colour ? [] : ['colour']),
    ...(before.link === after.link ? [] : ['link']),
  ];
  return styles.join(', ');
}

type Pair = readonly [before: Word, after: Word];

interface Pairing {
  readonly pairs: Pair[];
  readonly lost: readonly Word[];
  readonly added: readonly Word[];
}

/** Pairs unmoved words first, then the nearest with the same text, then runs that are split differently. */
function pairWords(oldWords: readonly Word[], newWords: readonly Word[]): Pairing {
  const { pairs, lost: movedOld, added: movedNew } = pairUnmoved(oldWords, newWords);
  const { lost, added } = pairNearest(pairs, movedOld, movedNew);
  const [oldRuns, newRuns] = [runsOf(oldWords, lost), runsOf(newWords, added)];
  const waiting = byKey(newRuns, textOf);
  const same = new Set<Word>();
  for (const run of oldRuns) {
    const other = waiting.get(textOf(run))?.shift();
    if (other === undefined) continue;
    // The first words of the runs show whether they moved.
    addPair(pairs, run[0], other[0]);
    for (const word of [...run, ...other]) same.add(word);
  }
  const isLeft = (word: Word): boolean => !same.has(word);
  return { pairs, lost: lost.filter(isLeft), added: added.filter(isLeft) };
}

/** Groups the words of `some` into runs that are consecutive in `all`. */
function runsOf(all: readonly Word[], some: readonly Word[]): readonly (readonly Word[])[] {
  const members = new Set(some);
  const runs: Word[][] = [];
  let run: Word[] = [];
  for (const word of all) {
    if (!members.has(word)) run = [];
    else if (run.push(word) === 1) runs.push(run);
  }
  return runs;
}

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join('');

function addPair(pairs: Pair[], before: Word | undefined, after: Word | undefined): void {
  if (before !== undefined && after !== undefined) pairs.push([before, after]);
}

const unmovedPt = 0.5;

/** Pairs unmoved words by position: reading order is a guess that small differences change. */
function pairUnmoved(oldWords: readonly Word[], newWords: readonly Word[]): Pairing {
  const waiting = byKey(newWords, ({ page, text }) => `${page} ${text}`);
  const pairs: Pair[] = [];
  const paired = new Set<Word>();
  const lost = oldWords.filter((before) => {
    const after = waiting
      .get(`${before.page} ${before.text}`)
      ?.find((word) => !paired.has(word) && roughDistance(before, word) <= unmovedPt);
    if (after === undefined) return true;
    pairs.push([before, after]);
    paired.add(after);
    return false;
  });
  return { pairs, lost, added: newWords.filter((word) => !paired.has(word)) };
}

/** Pairs the remaining words by their text, regardless of order. */
function pairNearest(pairs: Pair[], oldWords: readonly Word[], newWords: readonly Word[]): Pairing {
  const waiting = byKey(newWords, ({ text }) => text);
  const lost = oldWords.filter((before) => {
    const same = waiting.get(before.text) ?? [];
    let nearest = 0;
    for (let index = 1; index < Math.min(same.length, maxCandidates); index++) {
      const [best, other] = [same[nearest], same[index]];
      if (best !== undefined && other !== undefined && roughDistance(before, other) < roughDistance(before, best))
        nearest = index;
    }
    const [after] = same.splice(nearest, 1);
    addPair(pairs, before, after);
    return after === undefined;
  });
  const left = new Set([...waiting.values()].flat());
  return { pairs, lost, added: newWords.filter((word) => left.has(word)) };
}

const maxCandidates = 200;
/** The distance in points that counts for a word on a different page. */
const pagePt = 10_000;

function roughDistance(before: Word, after: Word): number {
  return Math.abs(before.page - after.page) * pagePt + Math.hypot(before.left - after.left, before.y - after.y);
}

function byKey<T>(words: readonly T[], keyOf: (word: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const word of words) {
    const group = groups.get(keyOf(word));
    if (group === undefined) groups.set(keyOf(word), [word]);
    else group.push(word);
  }
  return groups;
}
