import { count, variable } from './variable.ts';

const days = (fallback: number) => count(fallback, 0, 36_500);

/** How long rows are kept. 0 keeps them for ever. */
export const retentionVariables = {
  RETENTION_DOCUMENTS_DAYS: variable(
    days(92),
    'days',
    'How long documents can be retrieved as jobs, at least as long as their files (`RESULT_TTL_SECONDS`); 0 for ever.',
  ),
  RETENTION_LEDGER_DAYS: variable(
    days(400),
    'days',
    'How long the ledger keeps each entry, at least as long as the documents; 0 for ever. Sums by allowance and month remain.',
  ),
  RETENTION_DELIVERIES_DAYS: variable(
    days(92),
    'days',
    'How long e-mail deliveries and their recipients are kept; 0 for ever.',
  ),
  RETENTION_BATCHES_DAYS: variable(
    days(92),
    'days',
    'How long batches and their lists of rows are kept, at most as long as the documents; 0 for as long as the documents.',
  ),
  RETENTION_WEBHOOK_EVENTS_DAYS: variable(
    count(30, 1, 36_500),
    'days',
    'How long webhook events and their deliveries are kept.',
  ),
  RETENTION_USAGE_DAYS: variable(days(1_100), 'days', 'How long usage is kept by day, template and key; 0 for ever.'),
  RETENTION_INTERVAL_MS: variable(
    count(600_000, 500),
    'ms',
    'How often partitions for the coming months are created and expired rows are removed.',
  ),
};
