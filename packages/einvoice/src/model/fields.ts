import { z } from 'zod';

/** The description of a field, with its business term in EN 16931-1. */
const about = (term: string, meaning: string): string => `${meaning} (${term})`;

/** XML 1.0 allows no control characters other than tabs and line ends. */
const isXmlText = (value: string): boolean =>
  value.isWellFormed() && !/\p{Cc}|[\ufffe\uffff]/u.test(value.replaceAll(/[\t\n\r]/g, ''));

const plain = (most: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(most)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .refine(isXmlText, 'must not contain control characters or half of a surrogate pair');

export const text = (term: string, meaning: string) => plain(5_000).describe(about(term, meaning));
export const identifier = (term: string, meaning: string) => plain(500).describe(about(term, meaning));

export const code = (term: string, meaning: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9.:_/-]{0,99}$/, 'must be a code without spaces')
    .describe(about(term, meaning));

export const date = (term: string, meaning: string) =>
  z
    .string()
    .refine(isDate, 'must be a date such as 2026-03-31')
    .describe(about(term, meaning))
    .meta({ format: 'date' });

const numberText = (value: string | number): string => (typeof value === 'number' ? String(value) : value);

const decimalPattern = (most: number): RegExp => new RegExp(`^-?\\d{1,20}(?:\\.\\d{1,${most}})?$`);

/** A number, or a string such as `"1234.50"`, because JSON numbers cannot hold as many digits. */
const decimal = (most: number, meaning: string) =>
  z
    .union([z.number(), z.string().max(60)])
    .refine(
      (value) => decimalPattern(most).test(numberText(value)),
      `must be a number with at most ${most} decimals and 20 digits before them, such as 1234.50 or "1234.50"`,
    )
    .describe(meaning)
    .transform(numberText);

export const amount = (term: string, meaning: string) => decimal(2, about(term, meaning));
export const number = (term: string, meaning: string) => decimal(10, about(term, meaning));

/** An identifier, and the scheme that it belongs to. */
export const identified = (term: string, meaning: string) =>
  z.strictObject({
    id: identifier(term, meaning),
    scheme: code(`${term}-1`, 'Scheme of the identifier, from ISO/IEC 6523').optional(),
  });

export const list = <T extends z.ZodType>(entry: T, most: number) => z.array(entry).max(most).optional();

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}
