import type { components } from '@docmill/client';
import { useState } from 'preact/hooks';
import { fontTexts } from '../texts/fonts.ts';
import { Badge } from '../ui/badge.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { SearchField } from '../ui/search-field.tsx';

const pageSize = 30;
const scriptNames = new Intl.DisplayNames('en', { type: 'script' });
const nameOf = (script: string): string => scriptNames.of(script) ?? script;

export function InstalledFonts({ families }: { readonly families: readonly components['schemas']['Font'][] }) {
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(pageSize);
  const found = families.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <section class="card">
      <h2>
        {fontTexts.installed} <span class="muted small">{fontTexts.installedCount(families.length)}</span>
      </h2>
      {families.length === 0 ? (
        <p class="muted">{fontTexts.nothingInstalled}</p>
      ) : (
        <div class="form">
          <SearchField label={fontTexts.search} value={search} onSearch={setSearch} />
          {found.length === 0 && <p class="muted">{fontTexts.nothingFound}</p>}
          <ul class="installed-fonts" aria-label={fontTexts.installed}>
            {found.slice(0, most).map(({ name, scripts, complete }) => (
              <li key={name}>
                <span class="breaks">{name}</span> <span class="muted small">{scripts.map(nameOf).join(', ')}</span>
                {!complete && <Badge tone="warn">{fontTexts.notEverywhere}</Badge>}
              </li>
            ))}
          </ul>
          <MoreButton hasMore={found.length > most} onMore={() => setMost(most + pageSize)} />
        </div>
      )}
    </section>
  );
}
