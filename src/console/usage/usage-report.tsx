import type { components } from '@docmill/client';
import { useDocmill } from '../session/session.ts';
import { TemplateLink } from '../session/template-link.tsx';
import { shownName, useTemplateNames } from '../session/use-template-names.ts';
import { usageTexts } from '../texts/usage.ts';
import { formatBytes, formatNumber } from '../ui/format.ts';
import { type Loaded, useLoad } from '../ui/use-load.ts';
import { DailyChart } from './daily-chart.tsx';
import { dailySeries } from './daily-series.ts';
import { DailyTable } from './daily-table.tsx';
import { UsageBars } from './usage-bars.tsx';
import type { UsageRange } from './usage-range.ts';

type Schemas = components['schemas'];
type Key = Schemas['AccountKey'];

const maxKeys = 1_000;

interface Usage {
  readonly daily: Schemas['Usage'];
  readonly templates: readonly Schemas['UsageGroup'][];
  readonly keys: readonly Schemas['UsageGroup'][];
  readonly names: ReadonlyMap<string, Key>;
}

export function useUsage(range: UsageRange): Loaded<Usage> {
  const docmill = useDocmill();
  return useLoad(async (signal) => {
    const [daily, templates, keys, names] = await Promise.all([
      docmill.account.usage({ ...range, groupBy: 'dayAndTemplate' }, { signal }),
      docmill.account.usage({ ...range, groupBy: 'template' }, { signal }),
      docmill.account.usage({ ...range, groupBy: 'key' }, { signal }),
      keysById(docmill.account.keys({ limit: maxKeys }, { signal })),
    ]);
    return { daily, templates: templates.groups, keys: keys.groups, names };
  }, `${range.from} ${range.to}`);
}

/** The usage in a range of days. */
export function UsageReport({ range, usage }: { readonly range: UsageRange; readonly usage: Usage }) {
  return (
    <>
      <Totals totals={usage.daily.totals} />
      <Daily range={range} groups={usage.daily.groups} />
      <div class="usage-columns">
        <ByTemplate groups={usage.templates} />
        <UsageBars
          title={usageTexts.byKey}
          bars={usage.keys.map(({ keyId, documents, failures }) => ({
            key: keyId ?? '',
            name: keyName(keyId, usage.names),
            documents,
            failures,
          }))}
        />
      </div>
    </>
  );
}

function Totals({ totals: { documents, pages, bytes, failures } }: { readonly totals: Schemas['UsageAmounts'] }) {
  const { totals } = usageTexts;
  const shown = [
    [totals.documents, formatNumber(documents)],
    [totals.pages, formatNumber(pages)],
    [totals.bytes, formatBytes(bytes)],
    [totals.failures, formatNumber(failures)],
  ] as const;
  return (
    <dl class="totals">
      {shown.map(([name, text]) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd class="number">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

interface DailyProps {
  readonly range: UsageRange;
  readonly groups: readonly Schemas['UsageGroup'][];
}

function Daily({ range, groups }: DailyProps) {
  const data = dailySeries(range, groups);
  const known = useTemplateNames(data.series.filter((id) => id !== undefined));
  const names = data.series.map((id) => {
    if (id === undefined) return data.series.length === 1 ? usageTexts.all : usageTexts.others;
    return shownName(known, id);
  });
  return (
    <section class="card">
      <h2>{usageTexts.perDay}</h2>
      <DailyChart key={`${range.from} ${range.to}`} data={data} names={names} />
      <DailyTable data={data} names={names} />
    </section>
  );
}

function ByTemplate({ groups }: { readonly groups: readonly Schemas['UsageGroup'][] }) {
  const ids = groups.map(({ templateId = '' }) => templateId);
  const names = useTemplateNames(ids.slice(0, 10));
  return (
    <UsageBars
      title={usageTexts.byTemplate}
      bars={groups.map(({ documents, failures }, index) => {
        const id = ids[index] ?? '';
        return { key: id, name: <TemplateLink id={id} names={names} />, documents, failures };
      })}
    />
  );
}

async function keysById(keys: AsyncIterable<Key>): Promise<ReadonlyMap<string, Key>> {
  const found = new Map<string, Key>();
  for await (const key of keys) {
    found.set(key.id, key);
    if (found.size === maxKeys) break;
  }
  return found;
}

function keyName(id: string | null | undefined, keys: ReadonlyMap<string, Key>): string {
  if (id === null || id === undefined) return usageTexts.unknownKey;
  const key = keys.get(id);
  return key?.name ?? key?.prefix ?? id;
}
