import { Link } from 'wouter-preact';
import { operatorTexts } from '../../texts/operator.ts';
import { Facts } from '../../ui/facts.tsx';
import { formatNumber, formatTime } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import '../../ui/rows.css';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { ActList } from '../act-list.tsx';
import { useAdmin } from '../operator-session.ts';
import { AccountActions } from './account-actions.tsx';
import { AccountKeys } from './account-keys.tsx';
import { AccountState } from './account-state.tsx';
import { FailedEmails } from './failed-emails.tsx';

/** An account with its quotas, keys, use, failed e-mails and the last acts on it. */
export function AccountPage({ id }: { readonly id: string }) {
  const admin = useAdmin();
  const { value: account, error, reload } = useLoad((signal) => admin.accounts.get(id, { signal }), id);
  const parent = <Link href="/accounts">{operatorTexts.accounts}</Link>;
  if (account === undefined) {
    return (
      <>
        <PageHeader title={operatorTexts.account} parent={parent} />
        {error === undefined ? <Skeleton lines={6} /> : <ErrorNote error={error} onRetry={reload} />}
      </>
    );
  }
  const { name, createdAt, subscription, quotas } = account;
  return (
    <>
      <PageHeader title={name} parent={parent} about={<AccountState account={account} />}>
        <AccountActions account={account} onChange={reload} />
      </PageHeader>
      <div class="sections">
        {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
        <section class="card">
          <h2>{operatorTexts.facts}</h2>
          <Facts
            facts={[
              [operatorTexts.remaining, formatNumber(quotas.remaining.total.docs)],
              [
                operatorTexts.subscription,
                subscription === null
                  ? operatorTexts.noSubscription
                  : operatorTexts.ofMonth(
                      formatNumber(subscription.docs - quotas.remaining.subscriptions.docs),
                      formatNumber(subscription.docs),
                    ),
              ],
              [
                operatorTexts.templatesAllowed,
                subscription === null ? undefined : formatNumber(subscription.templates),
              ],
              [operatorTexts.created, formatTime(createdAt)],
              [operatorTexts.id, <code>{id}</code>],
            ]}
          />
        </section>
        <LastMonth id={id} />
        <AccountKeys accountId={id} keys={account.keys} onChange={reload} />
        <FailedEmails id={id} />
        <section>
          <h2>{operatorTexts.acts}</h2>
          <ActList account={id} pageSize={10} empty={<p class="muted">{operatorTexts.noActs}</p>} />
        </section>
      </div>
    </>
  );
}

function LastMonth({ id }: { readonly id: string }) {
  const admin = useAdmin();
  const { value, error, reload } = useLoad((signal) => admin.accounts.usage(id, {}, { signal }), id);
  return (
    <section class="card">
      <h2>{operatorTexts.usage}</h2>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Skeleton lines={1} />}
      {value !== undefined && (
        <Facts
          facts={[
            [operatorTexts.documents, formatNumber(value.totals.documents)],
            [operatorTexts.pages, formatNumber(value.totals.pages)],
            [operatorTexts.failed, formatNumber(value.totals.failures)],
          ]}
        />
      )}
    </section>
  );
}
