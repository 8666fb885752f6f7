import type { components } from '@docmill/client';
import { CircleAlert } from 'lucide-preact';
import { serviceUrl } from '../session/addresses.ts';
import { session, useDocmill } from '../session/session.ts';
import { keyTexts } from '../texts/keys.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatDate } from '../ui/format.ts';
import { ListStart } from '../ui/list-start.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import '../ui/rows.css';
import { Skeleton } from '../ui/states.tsx';
import { usePages } from '../ui/use-pages.ts';
import { KeyCard } from './key-card.tsx';
import { expiresSoon } from './key-expiry.ts';
import './keys.css';

type Key = components['schemas']['AccountKey'];

const pageSize = 50;

export default function KeysPage() {
  const docmill = useDocmill();
  const pages = usePages<Key>((signal) => docmill.account.keys({ limit: pageSize }, { signal }), pageSize, '');
  const { entries } = pages;
  const nowMs = Date.now();
  const currentId = session.value?.key.id;
  const current = entries.find(({ id }) => id === currentId) ?? session.value?.key;
  const active = entries
    .filter(({ status }) => status === 'active')
    .toSorted((a, b) => Number(b.id === currentId) - Number(a.id === currentId));
  const ended = entries.filter(({ status }) => status !== 'active');
  return (
    <>
      <PageHeader title={keyTexts.title} about={keyTexts.about} />
      <div class="sections">
        {current !== undefined && expiresSoon(current, nowMs) && <SoonNote expiresAt={current.expiresAt ?? ''} />}
        <ListStart pages={pages} loading={<Skeleton lines={5} />} />
        {active.length > 0 && (
          <ul class="key-cards" aria-label={keyTexts.list}>
            {active.map((key) => (
              <KeyCard key={key.id} apiKey={key} isCurrent={key.id === currentId} nowMs={nowMs} />
            ))}
          </ul>
        )}
        {ended.length > 0 && (
          <details>
            <summary>{keyTexts.others(ended.length)}</summary>
            <ul class="key-cards">
              {ended.map((key) => (
                <KeyCard key={key.id} apiKey={key} isCurrent={false} nowMs={nowMs} />
              ))}
            </ul>
          </details>
        )}
        <MoreButton hasMore={pages.hasMore} isBusy={pages.isLoading} onMore={pages.more} />
        {(entries.length > 0 || pages.error !== undefined) && <HowToCreate />}
      </div>
    </>
  );
}

function SoonNote({ expiresAt }: { readonly expiresAt: string }) {
  return (
    <section class="note warn" aria-label={keyTexts.soonTitle}>
      <CircleAlert aria-hidden="true" />
      <div>
        <h2>{keyTexts.soonTitle}</h2>
        <p>{keyTexts.soonText(formatDate(expiresAt))}</p>
      </div>
    </section>
  );
}

function HowToCreate() {
  return (
    <section class="card">
      <h2>{keyTexts.createTitle}</h2>
      <p>{keyTexts.createText}</p>
      <p class="command">
        <code>{keyTexts.createCommand}</code>
        <CopyButton text={keyTexts.createCommand} />
      </p>
      <p class="muted small">
        {keyTexts.testText} <a href={`${serviceUrl}/guide/guides/keys.html`}>{keyTexts.guide}</a>
      </p>
    </section>
  );
}
