/**
 * Statuses for statements that find rows of `generations` by several ids. As parameters they do not lead to a partial index of
 * all that is unfinished: a plan that was made when there was little would read thousands of rows for a few ids.
 */
export const statusValues = {
  queued: 'queued',
  running: 'running',
  unfinished: ['queued', 'running'],
} as const;
