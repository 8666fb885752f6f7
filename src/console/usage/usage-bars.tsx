import type { ComponentChildren } from 'preact';
import { usageTexts } from '../texts/usage.ts';
import { formatNumber } from '../ui/format.ts';

interface UsageBar {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly documents: number;
  readonly failures: number;
}

interface UsageBarsProps {
  readonly title: string;
  readonly bars: readonly UsageBar[];
}

const maxShown = 10;

/** Groups with their documents, the largest first, as a table whose numbers are drawn as bars. */
export function UsageBars({ title, bars }: UsageBarsProps) {
  const most = Math.max(1, ...bars.map(({ documents }) => documents));
  const hidden = bars.length - maxShown;
  return (
    <section class="card">
      <h2>{title}</h2>
      {bars.length === 0 ? (
        <p class="muted">{usageTexts.nothing}</p>
      ) : (
        <table class="bars">
          <thead class="visually-hidden">
            <tr>
              <th scope="col">{title}</th>
              <th scope="col">{usageTexts.totals.documents}</th>
            </tr>
          </thead>
          <tbody>
            {bars.slice(0, maxShown).map(({ key, name, documents, failures }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>
                  <span class="number">{formatNumber(documents)}</span>
                  {failures > 0 && (
                    <span class="bar-failures number">
                      {formatNumber(failures)} {usageTexts.failed}
                    </span>
                  )}
                  <span class="bar-track" aria-hidden="true">
                    <span style={{ width: `${(Math.max(0, documents) / most) * 100}%` }} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hidden > 0 && <p class="muted small">{usageTexts.more(hidden)}</p>}
    </section>
  );
}
