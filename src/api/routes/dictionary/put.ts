import { z } from '@hono/zod-openapi';
import { putDictionary } from '../../../shared/domain/dictionaries/put-dictionary.ts';
import { isLocale } from '../../../shared/is-locale.ts';
import { checksumPrecondition, toChecksumTag } from '../../http/conditional-request.ts';
import { invalidField, parseRequest } from '../../http/parse-request.ts';
import { readJson } from '../../http/read-json.ts';
import { changeBy } from '../../http/require-scope.ts';
import type { Operation } from '../../operation.ts';
import { etagHeader, ifMatchHeader, problemResponses } from '../common-schemas.ts';
import { dictionarySchema, toDictionaryResource, wordsSchema } from './dictionary-resource.ts';

/** Published in docs/reference/template-language.md. */
const limits = { bytes: 1024 * 1024, locales: 100, words: 20_000, keyLength: 200, wordLength: 10_000 } as const;
const count = (value: number): string => value.toLocaleString('en');

const body = z
  .strictObject({
    words: wordsSchema
      .superRefine((words, { addIssue }) => {
        const fault = findFault(words);
        if (fault !== undefined) addIssue({ code: 'custom', ...fault });
      })
      .openapi({
        description: `For each locale (BCP 47), the word of each key. Empty words count as missing. At most ${count(limits.locales)} locales, ${count(limits.words)} words and 1 MB.`,
      }),
  })
  .openapi('DictionaryRequest');

export const putDictionaryOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'put',
    path: '/v1/dictionary',
    operationId: 'putDictionary',
    summary: 'Replace dictionary',
    description:
      'Replaces all words of the account. `{"total" | translate}` prints the word of the key `total` in the language of the document, unless the template has its own table of words with it. Documents that were accepted before print the earlier words.',
    tags: ['Dictionary'],
    request: {
      headers: ifMatchHeader,
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      200: {
        description: 'The dictionary.',
        headers: etagHeader,
        content: { 'application/json': { schema: dictionarySchema } },
      },
      ...problemResponses(400, 409, 412, 415),
    },
  },
  async handle(c, { db, json }) {
    const { value, bytes } = await readJson(c, json);
    if (bytes.length > limits.bytes) throw invalidField('words', 'must be at most 1 MB');
    const { words } = parseRequest(body, value);
    const precondition = checksumPrecondition(c);
    const dictionary = await putDictionary(db, { ...changeBy(c), words, precondition });
    return c.json(toDictionaryResource(dictionary), 200, { ETag: toChecksumTag(dictionary.checksum) });
  },
};

interface Fault {
  readonly path?: string[];
  readonly message: string;
}

/** The first problem with the words, if any. */
function findFault(words: z.infer<typeof wordsSchema>): Fault | undefined {
  const locales = Object.keys(words);
  const sizes = Object.values(words).map((ofLocale) => Object.keys(ofLocale).length);
  if (locales.length > limits.locales) return { message: `must have at most ${limits.locales} locales` };
  if (sizes.reduce((sum, size) => sum + size, 0) > limits.words)
    return { message: `must have at most ${count(limits.words)} words` };
  const seen = new Set<string>();
  for (const [locale, ofLocale] of Object.entries(words)) {
    if (locale.length > 100 || !isLocale(locale))
      return { path: [locale], message: 'is not a locale: write one such as en, de or de-AT' };
    if (seen.has(locale.toLowerCase())) return { path: [locale], message: 'is given twice, in upper and lower case' };
    seen.add(locale.toLowerCase());
    const fault = findFaultyWord(locale, ofLocale);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findFaultyWord(locale: string, words: Readonly<Record<string, string>>): Fault | undefined {
  for (const [key, word] of Object.entries(words)) {
    const path = [locale, key];
    if (key === '' || key.length > limits.keyLength)
      return { path, message: `must have a key of 1 to ${limits.keyLength} characters` };
    if (word.length > limits.wordLength)
      return { path, message: `must have at most ${count(limits.wordLength)} characters` };
    if (!isStorable(key) || !isStorable(word)) return { path, message: 'must not contain control characters' };
  }
  return undefined;
}

/** Rejects lone surrogates, which are not valid text, and control characters that Word documents cannot contain. */
const isStorable = (text: string): boolean => text.isWellFormed() && !/(?![\t\n])\p{Cc}/u.test(text);
