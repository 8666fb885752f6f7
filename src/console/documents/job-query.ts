import type { Docmill } from '@docmill/client';
import { startOfPeriod } from '../ui/period.ts';

type JobQuery = NonNullable<Parameters<Docmill['jobs']['list']>[0]>;
type Status = NonNullable<JobQuery['status']>;

export const filterNames = ['search', 'status', 'template', 'format', 'period', 'test', 'batch'] as const;
export type FilterName = (typeof filterNames)[number];

export const statuses: readonly Status[] = ['queued', 'running', 'succeeded', 'failed', 'cancelled'];
export const formats: readonly NonNullable<JobQuery['format']>[] = ['pdf', 'docx'];

const minSearchLength = 2;

/** The query for the service. Invalid filters in the address, such as a mistyped status, are left out. */
export function toJobQuery(values: Readonly<Record<FilterName, string>>, nowMs: number): JobQuery {
  const { search, template, test, batch } = values;
  const status = statuses.find((one) => one === values.status);
  const format = formats.find((one) => one === values.format);
  const from = startOfPeriod(values.period, nowMs);
  return {
    ...(search.length >= minSearchLength && { search }),
    ...(status !== undefined && { status }),
    ...(/^tpl_[0-9a-z]{26}$/.test(template) && { templateId: template }),
    ...(/^bat_[0-9a-z]{26}$/.test(batch) && { batchId: batch }),
    ...(format !== undefined && { format }),
    ...((test === 'true' || test === 'false') && { test: test === 'true' }),
    ...(from !== undefined && { from }),
  };
}
