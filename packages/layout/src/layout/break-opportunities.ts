import {
  type BreakerState,
  type BreakRule,
  Example7_25 as keepNumbersTogether,
  LineBreak,
  LineBreakClasses,
  MAY_BREAK,
  NO_BREAK,
  PASS,
  Rules,
} from '@cto.af/linebreak';
import { LRUCache } from 'lru-cache';

const { AL, CL, CP, HY, IS, NU, OP, PO, PR, SP, SY } = LineBreakClasses;
type Verdict = ReturnType<BreakRule>;
/** The class before the first character. */
const startOfText = -1;
/** In text without any of these characters, lines break only after spaces. */
const decisive = /[^A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f .,:;'"’“”@&#*_=]| [.,:;'"]/;
const slash = 0x2f;

const mostCharacters = 1_000_000;
const longestKept = 2_000;
/** Keyed by text, because most of a document's text comes from its template. */
const kept = new LRUCache<string, ReadonlySet<number>>({
  maxSize: mostCharacters,
  sizeCalculation: (_positions, text) => Math.max(1, text.length),
});

const rules = rulesOfLibreOffice();

/**
 * The positions in a text before which a line may begin, without the end of the text. They follow Unicode Standard
 * Annex 14 as LibreOffice implements it, except that there are none after a slash, for which LibreOffice has further
 * rules (see `requireKnownSlash`).
 */
export function breakOpportunities(text: string): ReadonlySet<number> {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const found = findOpportunities(text);
  if (text.length <= longestKept) kept.set(text, found);
  return found;
}

function findOpportunities(text: string): ReadonlySet<number> {
  const positions = new Set<number>();
  if (decisive.test(text)) {
    for (const { position } of rules.breaks(text)) {
      const isBehindSlash = text.charCodeAt(position - 1) === slash;
      if (position < text.length && !isBehindSlash) positions.add(position);
    }
    return positions;
  }
  for (let at = 1; at < text.length; at++) {
    if (text.charCodeAt(at - 1) === 0x20 && text.charCodeAt(at) !== 0x20) positions.add(at);
  }
  return positions;
}

/**
 * LibreOffice 25.2 uses the rules of Unicode 14 with ICU's for numbers and hyphens, and two of its own: lines may break
 * between a quotation mark and a bracket, and after the hyphen in a range of numbers
 * (`i18npool/source/breakiterator/data/line.txt`).
 */
function rulesOfLibreOffice(): Rules {
  const own = new Rules();
  own.removeRule('LB15a', 'LB15b');
  own.addRuleBefore('LB13', breakBeforeDecimal);
  own.addRuleBefore('LB21a', keepFirstHyphen);
  own.replaceRule('LB25', breakRange, keepDecimal, keepNumbersTogether);
  return own;
}

/** LB14a: break after a space before a number that begins with a decimal point. */
function breakBeforeDecimal(state: BreakerState): Verdict {
  const { cur, next } = state;
  return cur.cls === SP && next.cls === IS && state.afterNext()?.cls === NU ? MAY_BREAK : PASS;
}

/** LB20.09: no break after a hyphen that begins a word. */
function keepFirstHyphen({ prev, cur, next }: BreakerState): Verdict {
  const isFirst = prev.cls === startOfText || prev.cls === SP;
  return isFirst && (cur.cls === HY || cur.char === '\u2010') && next.cls === AL ? NO_BREAK : PASS;
}

/** Break after a hyphen between numbers. */
function breakRange({ str, cur }: BreakerState): Verdict {
  return cur.cls === HY && endsWithNumber(str, cur.len - 1) && beginsWithNumber(str, cur.len) ? MAY_BREAK : PASS;
}

/** Part of LB25: no break after a decimal point. */
function keepDecimal({ cur, next }: BreakerState): Verdict {
  return cur.cls === IS && next.cls === NU ? NO_BREAK : PASS;
}

const classAt = (text: string, at: number): number => LineBreak.get(text.codePointAt(at) ?? 0);

/** Whether the text before `end` is a number, including separators, a bracket and a sign. */
function endsWithNumber(text: string, end: number): boolean {
  let at = end - 1;
  if ([PR, PO].includes(classAt(text, at))) at--;
  if ([CL, CP].includes(classAt(text, at))) at--;
  while ([SY, IS].includes(classAt(text, at))) at--;
  return classAt(text, at) === NU;
}

/** Whether a number begins here, with a sign, a bracket, a hyphen and a decimal point. */
function beginsWithNumber(text: string, start: number): boolean {
  let at = start;
  if ([PR, PO].includes(classAt(text, at))) at++;
  if ([OP, HY].includes(classAt(text, at))) at++;
  if (classAt(text, at) === IS) at++;
  return classAt(text, at) === NU;
}
