import { shorten } from '../shorten.ts';
import { describeDifference, type TestResult } from './results.ts';

const maxLines = 20;
const indent = ' '.repeat(9);

/** A result for a terminal, shortened, because unrelated documents differ in everything. */
export function toLines({ template, name, status, differences, note }: TestResult): readonly string[] {
  const head = `${status.padEnd(7)}  ${template} / ${name}`;
  const lines = shorten(
    differences.map(describeDifference),
    maxLines,
    (rest) => `and ${rest} more differences; --json and --report have all of them`,
  );
  return [note === undefined ? head : `${head}: ${note}`, ...lines.map((line) => `${indent}${line}`)];
}
