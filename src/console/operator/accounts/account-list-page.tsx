import type { components } from '@docmill/client';
import { Building2, Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { operatorTexts } from '../../texts/operator.ts';
import { Button } from '../../ui/button.tsx';
import { formatNumber } from '../../ui/format.ts';
import { ListStart } from '../../ui/list-start.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import '../../ui/rows.css';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { usePages } from '../../ui/use-pages.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useAdmin } from '../operator-session.ts';
import { AccountState } from './account-state.tsx';

type Account = components['schemas']['AdminAccountSummary'];

const pageSize = 50;

/** All accounts with the use of their quotas. */
export function AccountListPage() {
  const admin = useAdmin();
  const [, go] = useLocation();
  const pages = usePages<Account>((signal) => admin.accounts.list({ limit: 100 }, { signal }), pageSize, 'accounts');
  const [isCreating, setIsCreating] = useState(false);
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => setIsCreating(true)}>
      {operatorTexts.createAccount}
    </Button>
  );
  return (
    <>
      <PageHeader title={operatorTexts.accounts} about={operatorTexts.accountsAbout}>
        {!pages.isEmpty && create}
      </PageHeader>
      <ListStart
        pages={pages}
        loading={<Skeleton lines={4} />}
        empty={
          <EmptyState title={operatorTexts.accountsEmpty} icon={<Building2 aria-hidden="true" />}>
            <p>{operatorTexts.accountsEmptyText}</p>
            {create}
          </EmptyState>
        }
      />
      {pages.entries.length > 0 && (
        <ul class="rows" aria-label={operatorTexts.accounts}>
          {pages.entries.map((account) => (
            <li key={account.accountId}>
              <AccountRow account={account} />
            </li>
          ))}
        </ul>
      )}
      <MoreButton hasMore={pages.hasMore} isBusy={pages.isLoading} onMore={pages.more} />
      {isCreating && (
        <FormDialog
          title={operatorTexts.createAccount}
          action={operatorTexts.create}
          fields={[{ name: 'name', label: operatorTexts.name, kind: 'text' }]}
          onClose={() => setIsCreating(false)}
          onSave={async ({ name }) => {
            const { accountId } = await admin.accounts.create({ name: String(name) });
            go(`/accounts/${accountId}`);
          }}
        />
      )}
    </>
  );
}

function AccountRow({ account }: { readonly account: Account }) {
  const { accountId, name, createdAt, templates, keys, subscription, credits } = account;
  return (
    <>
      <div>
        <Link class="row-link" href={`/accounts/${accountId}`}>
          {name}
        </Link>
        <p class="row-about">
          <span>
            {operatorTexts.subscription}:{' '}
            {subscription === null
              ? operatorTexts.noSubscription
              : operatorTexts.ofMonth(formatNumber(subscription.used), formatNumber(subscription.docs))}
          </span>
          {credits.docs > 0 && (
            <span>
              {operatorTexts.credits}: {operatorTexts.left(formatNumber(credits.docs - credits.used))}
            </span>
          )}
          <span>
            {operatorTexts.templates}: {formatNumber(templates)}
          </span>
          <span>
            {operatorTexts.keys}: {formatNumber(keys)}
          </span>
        </p>
      </div>
      <div class="row-side">
        <AccountState account={account} />
        <Time value={createdAt} />
      </div>
    </>
  );
}
