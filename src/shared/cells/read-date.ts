import { monthOf } from './month-names.ts';

export type DateOrder = 'dayFirst' | 'monthFirst';

/** A date has no value where a cell is not a date, and two where it may begin with the day or with the month. */
export type DateReading = readonly string[];

const separated = /^(\d{1,4})(\.\s?|\s?[-/]\s?)(\d{1,2})\2(\d{1,4})\.?$/u;
const dayAndName = /^(\d{1,2})(?:\.|st|nd|rd|th|er|º)?[\s-]*(?:de |of )?(\p{L}+)\.?,?[\s-](?:de |del )?(\d{4})$/iu;
const nameAndDay = /^(\p{L}+)\.?[\s-](\d{1,2})(?:st|nd|rd|th)?,?[\s-](\d{4})$/iu;
const time =
  /(?:^|[\sT]|,\s)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?|[ap]\.?m\.?)?$/iu;
const longestCell = 60;

/**
 * Reads a cell as a date, with or without a time of day. The value is ISO 8601, as in 2026-02-09 or
 * 2026-02-09T14:30:00. Years must have four digits, because a two-digit year could be in either century.
 *
 * @param order the part that comes first; without it, a cell such as `2/9/2026` has two values. Where dates are written
 * with points, the day is first, so such a cell has no value in a column that begins with the month
 */
export function readDate(cell: string, order?: DateOrder): DateReading {
  const text = cell.trim();
  if (text === '' || text.length > longestCell) return [];
  const found = text.includes(':') ? time.exec(text) : null;
  const clock = found === null ? '' : toTime(found);
  const dates = readDay(found === null ? text : text.slice(0, found.index).trim(), order);
  return clock === undefined ? [] : dates.map((date) => date + clock);
}

function readDay(text: string, order: DateOrder | undefined): readonly string[] {
  const numbers = separated.exec(text);
  if (numbers !== null) return readNumbers(numbers, order);
  const [, day, name = '', year] = dayAndName.exec(text) ?? reorder(nameAndDay.exec(text));
  const month = monthOf(name);
  return month === undefined ? [] : toDate(Number(year), month, Number(day));
}

function reorder(found: RegExpExecArray | null): readonly (string | undefined)[] {
  return found === null ? [] : [found[0], found[2], found[1], found[3]];
}

function readNumbers([, first = '', separator = '', second = '', third = '']: RegExpExecArray, order?: DateOrder) {
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  if (first.length === 4) return third.length <= 2 ? toDate(a, b, c) : [];
  if (third.length !== 4 || first.length > 2) return [];
  const dayFirst = toDate(c, b, a);
  const monthFirst = toDate(c, a, b);
  if (separator.startsWith('.')) return order === 'monthFirst' ? [] : dayFirst;
  if (order !== undefined) return order === 'dayFirst' ? dayFirst : monthFirst;
  return [...new Set([...dayFirst, ...monthFirst])];
}

function toDate(year: number, month: number, day: number): readonly string[] {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 0;
  return isReal ? [date.toISOString().slice(0, 10)] : [];
}

/** The time of day as ISO 8601 writes it; undefined for one that does not exist. */
function toTime([, hours = '', minutes = '', seconds = '00', suffix = '']: RegExpExecArray): string | undefined {
  const half = /^[ap]/i.exec(suffix)?.[0].toLowerCase();
  const hour = Number(hours);
  const isReal =
    Number(minutes) < 60 && Number(seconds) < 60 && hour < 24 && (half === undefined || (hour > 0 && hour <= 12));
  if (!isReal) return undefined;
  const counted = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  return `T${String(counted).padStart(2, '0')}:${minutes}:${seconds}${half === undefined ? suffix.toUpperCase() : ''}`;
}

const serial = /^(\d{1,7})(?:[.,](\d{1,15}))?$/;
const lastSerial = 2_958_465;
const secondsADay = 86_400;

/**
 * Reads the number by which Excel stores a date: 46062 is 2026-02-09, a fraction is a time of day. Excel counts 29
 * February 1900, which did not exist, as day 60.
 */
export function readExcelDate(cell: string): DateReading {
  const [, days = '', fraction = '0'] = serial.exec(cell.trim()) ?? [];
  const day = Number(days);
  if (day < 1 || day > lastSerial || day === 60) return [];
  const seconds = Math.round(Number(`0.${fraction}`) * secondsADay);
  const date = new Date(Date.UTC(1899, 11, day < 60 ? 31 : 30) + (day * secondsADay + seconds) * 1_000);
  if (date.getUTCFullYear() > 9_999) return [];
  return [date.toISOString().slice(0, seconds % secondsADay === 0 ? 10 : 19)];
}
