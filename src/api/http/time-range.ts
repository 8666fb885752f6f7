import { z } from '@hono/zod-openapi';
import { invalidField } from './parse-request.ts';

// Lists are ordered by id, and ids can encode only times in these years.
const supportedYear = /^2\d{3}-/;
const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-30T12:00:00Z' })
  .regex(supportedYear, 'must be a time between the years 2000 and 2999')
  .transform((text) => new Date(text))
  .optional();

/** Query parameters for a list ordered by id. Validate them with `checkTimeRange`. */
export const timeRange = {
  from: time.openapi({
    type: 'string',
    format: 'date-time',
    description: 'Only those created at this time or later, to within a second.',
    example: '2026-11-01T00:00:00Z',
  }),
  to: time.openapi({
    type: 'string',
    format: 'date-time',
    description: 'Only those created before this time, to within a second.',
    example: '2026-12-01T00:00:00Z',
  }),
};

/** Throws `invalid_request` for an empty period. */
export function checkTimeRange({
  from,
  to,
}: {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}): void {
  if (from !== undefined && to !== undefined && from >= to) throw invalidField('from', 'must be before to');
}
