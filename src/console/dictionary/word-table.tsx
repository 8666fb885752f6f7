import type { components } from '@docmill/client';
import { useMemo, useState } from 'preact/hooks';
import { dictionaryTexts } from '../texts/dictionary.ts';
import { MoreButton } from '../ui/more-button.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { TableScroll } from '../ui/table-scroll.tsx';

type Words = components['schemas']['Dictionary']['words'];

const pageSize = 100;

/** The words by key, with a column for each language; missing words are marked. */
export function WordTable({ words }: { readonly words: Words }) {
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(pageSize);
  const locales = Object.keys(words).toSorted();
  const keys = useMemo(() => findKeys(words, search), [words, search]);
  return (
    <>
      <search class="filters">
        <div class="wide">
          <SearchField
            label={dictionaryTexts.search}
            value={search}
            onSearch={(text) => {
              setSearch(text);
              setMost(pageSize);
            }}
          />
        </div>
      </search>
      {keys.length === 0 ? (
        <p class="muted">{dictionaryTexts.nothingFound}</p>
      ) : (
        <TableScroll label={dictionaryTexts.title}>
          <table class="table dictionary-words">
            <thead>
              <tr>
                <th scope="col">{dictionaryTexts.key}</th>
                {locales.map((locale) => (
                  <th key={locale} scope="col">
                    {languageOf(locale)} <code>{locale}</code>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {keys.slice(0, most).map((key) => (
                <tr key={key}>
                  <th scope="row">
                    <code>{key}</code>
                  </th>
                  {locales.map((locale) => (
                    <td key={locale}>{wordOf(words, locale, key)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
      {keys.length > most && <p class="muted small">{dictionaryTexts.shown(most, keys.length)}</p>}
      <MoreButton hasMore={keys.length > most} onMore={() => setMost(most + pageSize)} />
    </>
  );
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/**
 * The English name of the language, because the console is in English; undefined for a locale that the browser does not
 * know.
 */
function languageOf(locale: string): string {
  return languages.of(new Intl.Locale(locale).baseName) ?? '';
}

/** An empty word counts as missing. */
function wordOf(words: Words, locale: string, key: string) {
  const ofLocale = words[locale] ?? {};
  const word = Object.hasOwn(ofLocale, key) ? ofLocale[key] : undefined;
  return word === undefined || word === '' ? <span class="badge warn">{dictionaryTexts.missing}</span> : word;
}

/** The keys that contain the search text, or have a word that does, ignoring case. */
function findKeys(words: Words, search: string): readonly string[] {
  const wanted = search.toLowerCase();
  const found = Object.values(words).flatMap((ofLocale) =>
    Object.entries(ofLocale).flatMap(([key, word]) => (`${key}\n${word}`.toLowerCase().includes(wanted) ? [key] : [])),
  );
  return [...new Set(found)].toSorted((a, b) => a.localeCompare(b));
}
