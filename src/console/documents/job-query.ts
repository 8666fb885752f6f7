import type { Docmill } from '@docmill/client';

type JobQuery = NonNullable<Parameters<Docmill['jobs']['list']>[0]>;
type Status = NonNullable<JobQuery['status']>;

export const filterNames = ['search', 'status', 'template'] as const;
export type FilterName = (typeof filterNames)[number];

export const statuses: readonly Status[] = ['queued', 'running', 'succeeded', 'failed', 'cancelled'];

const minSearchLength = 2;

/** What the service is asked for. A filter of the address that is none, such as a mistyped status, is left out. */
export function toJobQuery(
  { search, status, template }: Readonly<Record<FilterName, string>>,
  _nowMs: number,
): JobQuery {
  const known = statuses.find((one) => one === status);
  return {
    ...(search.length >= minSearchLength && { search }),
    ...(known !== undefined && { status: known }),
    ...(/^tpl_[0-9a-z]{26}$/.test(template) && { templateId: template }),
  };
}
