import type { components } from '@docmill/client';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { operatorTexts } from '../texts/operator.ts';
import { Badge } from '../ui/badge.tsx';
import { ListStart } from '../ui/list-start.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import '../ui/rows.css';
import { Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import type { Tone } from '../ui/tone.ts';
import { usePages } from '../ui/use-pages.ts';
import { useAdmin } from './operator-session.ts';

type Act = components['schemas']['AuditEntry'];

interface ActListProps {
  /** Only acts on this account. */
  readonly account?: string;
  readonly pageSize: number;
  readonly empty: ComponentChildren;
}

const tones: Readonly<Record<Act['outcome'], Tone>> = { started: 'info', succeeded: 'good', failed: 'bad' };

/** The entries of the audit log, newest first. */
export function ActList({ account, pageSize, empty }: ActListProps) {
  const admin = useAdmin();
  const pages = usePages<Act>(
    (signal) => admin.audit.list(account === undefined ? {} : { account }, { signal }),
    pageSize,
    account ?? '',
  );
  return (
    <>
      <ListStart pages={pages} loading={<Skeleton lines={4} />} empty={empty} />
      {pages.entries.length > 0 && (
        <ul class="rows" aria-label={operatorTexts.audit}>
          {pages.entries.map((act) => (
            <li key={act.id}>
              <div>
                <p>
                  <b>{act.action}</b> {act.target !== null && <code>{act.target}</code>}
                </p>
                <p class="row-about">
                  <span>{operatorTexts.by(act.actor ?? operatorTexts.command, act.host)}</span>
                  {account === undefined && act.accountId !== null && (
                    <Link href={`/accounts/${act.accountId}`}>{act.accountId}</Link>
                  )}
                  {Object.entries(act.options).map(([name, value]) => (
                    <span key={name}>
                      {name}: {value}
                    </span>
                  ))}
                  {act.error !== null && <span>{act.error}</span>}
                </p>
              </div>
              <div class="row-side">
                <Badge tone={tones[act.outcome]}>{operatorTexts.outcomes[act.outcome]}</Badge>
                <Time value={act.at} />
              </div>
            </li>
          ))}
        </ul>
      )}
      <MoreButton hasMore={pages.hasMore} isBusy={pages.isLoading} onMore={pages.more} />
    </>
  );
}
