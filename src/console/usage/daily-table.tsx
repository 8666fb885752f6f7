import { usageTexts } from '../texts/usage.ts';
import { formatNumber } from '../ui/format.ts';
import { TableScroll } from '../ui/table-scroll.tsx';
import type { DailySeries } from './daily-series.ts';

interface DailyTableProps {
  readonly data: DailySeries;
  readonly names: readonly string[];
}

/** The figures of the chart as a table. */
export function DailyTable({ data: { days }, names }: DailyTableProps) {
  return (
    <details class="daily-table">
      <summary>{usageTexts.table}</summary>
      <TableScroll label={usageTexts.perDay}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{usageTexts.day}</th>
              {names.map((name, series) => (
                <th key={`${series} ${name}`} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">{usageTexts.failed}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, parts, failures }) => (
              <tr key={day}>
                <th scope="row" class="number">
                  {day}
                </th>
                {parts.map((part, series) => (
                  <td key={names[series]} class="number">
                    {formatNumber(part)}
                  </td>
                ))}
                <td class="number">{formatNumber(failures)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </details>
  );
}
