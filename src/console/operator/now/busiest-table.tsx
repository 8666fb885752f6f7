import { Link } from 'wouter-preact';
import { operatorTexts } from '../../texts/operator.ts';
import { formatDuration, formatNumber } from '../../ui/format.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { TableScroll } from '../../ui/table-scroll.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { useAdmin } from '../operator-session.ts';

/** The accounts that occupied engines longest. */
export function BusiestTable() {
  const admin = useAdmin();
  const { value, error, reload } = useLoad(
    (signal) => admin.operations.busiestAccounts({ minutes: 60, limit: 10 }, { signal }),
    'busiest',
  );
  return (
    <section>
      <h2>{operatorTexts.busiest}</h2>
      {value === undefined && error === undefined && <Skeleton lines={2} />}
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {value?.accounts.length === 0 && <p class="muted">{operatorTexts.busiestEmpty}</p>}
      {value !== undefined && value.accounts.length > 0 && (
        <TableScroll label={operatorTexts.busiest}>
          <table class="table operator-table">
            <thead>
              <tr>
                <th scope="col">{operatorTexts.account}</th>
                <th scope="col" class="number">
                  {operatorTexts.documents}
                </th>
                <th scope="col" class="number">
                  {operatorTexts.failed}
                </th>
                <th scope="col" class="number">
                  {operatorTexts.engineTime}
                </th>
              </tr>
            </thead>
            <tbody>
              {value.accounts.map((each) => (
                <tr key={each.accountId}>
                  <th scope="row">
                    <Link href={`/accounts/${each.accountId}`}>{each.accountId}</Link>
                  </th>
                  <td class="number" data-name={operatorTexts.documents}>
                    {formatNumber(each.documents)}
                  </td>
                  <td class="number" data-name={operatorTexts.failed}>
                    {formatNumber(each.failed)}
                  </td>
                  <td class="number" data-name={operatorTexts.engineTime}>
                    {formatDuration(each.engineSeconds * 1_000)}
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
