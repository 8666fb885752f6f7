import fc from 'fast-check';
import * as word from '../../../support/documents/word-xml.ts';

/** The parts that all kinds of generated documents share. */

const plainWords = 'lorem ipsum dolor sit amet VAT Te AWAY total 12,345.67 item price';

/** Words from a vocabulary, separated by spaces. */
export const wordsOf = (most: number, vocabulary = plainWords, least = 1): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...vocabulary.split(' ')), { minLength: least, maxLength: most })
    .map((words) => words.join(' '));

/** One of two values, with the same probability. */
export const sometimes = <T>(value: fc.Arbitrary<T>, fallback: T): fc.Arbitrary<T> =>
  fc.oneof(fc.constant(fallback), value);

/** One of the values, or none, which counts as `empty` of them. */
export const perhaps = (empty: number, ...values: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...Array.from({ length: empty }, () => ''), ...values);

export const joined = (parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(''));

/** Between `least` and `most` values, joined. */
export const several = (value: fc.Arbitrary<string>, most: number, least = 1): fc.Arbitrary<string> =>
  fc.array(value, { minLength: least, maxLength: most }).map((all) => all.join(''));

/** `count` values. */
export const exactly = <T>(count: number, value: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(value, { minLength: count, maxLength: count });

/** A run whose format and text are generated. */
export const formattedRun = (
  format: fc.Arbitrary<string>,
  text: fc.Arbitrary<string>,
  end: fc.Arbitrary<string> = fc.constant(''),
): fc.Arbitrary<string> =>
  fc.tuple(format, text, end).map(([properties, words, last]) => word.run(words + last, properties));
