import type { components } from '@docmill/client';
import { Link } from 'wouter-preact';
import { operatorTexts } from '../../texts/operator.ts';
import { Badge } from '../../ui/badge.tsx';
import { formatDuration, formatNumber } from '../../ui/format.ts';
import { TableScroll } from '../../ui/table-scroll.tsx';

type Backlog = components['schemas']['AdminQueues']['accounts'][number];

/** The accounts for which most entries wait, with the age of the oldest. */
export function BacklogTable({ accounts }: { readonly accounts: readonly Backlog[] }) {
  return (
    <section>
      <h2>{operatorTexts.backlog}</h2>
      {accounts.length === 0 && <p class="muted">{operatorTexts.backlogEmpty}</p>}
      {accounts.length > 0 && (
        <TableScroll label={operatorTexts.backlog}>
          <table class="table operator-table">
            <thead>
              <tr>
                <th scope="col">{operatorTexts.account}</th>
                <th scope="col" class="number">
                  {operatorTexts.waiting}
                </th>
                <th scope="col" class="number">
                  {operatorTexts.oldest}
                </th>
                <th scope="col" class="number">
                  {operatorTexts.inProgress}
                </th>
                <th scope="col">{operatorTexts.queues}</th>
              </tr>
            </thead>
            <tbody>
              {accounts.map((each) => (
                <tr key={each.accountId}>
                  <th scope="row">
                    <Link href={`/accounts/${each.accountId}`}>{each.accountId}</Link>{' '}
                    {each.isPaused && <Badge tone="warn">{operatorTexts.paused}</Badge>}
                    {each.suspendedAt !== null && <Badge tone="bad">{operatorTexts.suspended}</Badge>}
                  </th>
                  <td class="number" data-name={operatorTexts.waiting}>
                    {formatNumber(each.waiting)}
                  </td>
                  <td class="number" data-name={operatorTexts.oldest}>
                    {formatDuration(each.oldestSeconds * 1_000)}
                  </td>
                  <td class="number" data-name={operatorTexts.inProgress}>
                    {formatNumber(each.inProgress)}
                  </td>
                  <td class="wide" data-name={operatorTexts.queues}>
                    {Object.entries(each.queues)
                      .map(([queue, count]) => `${queue} ${formatNumber(count)}`)
                      .join(', ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </section>
  );
}
