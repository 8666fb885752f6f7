import { formatCount, formatNumber } from '../ui/format.ts';

export const listTexts = {
  live: 'Updates automatically',
  outdated: 'Not up to date: the service does not answer. The list updates when it does.',
  fresh: (count: number) => `Show ${formatNumber(count)} new`,
  more: 'Show more',
  all: 'All',
  attempts: (count: number) => formatCount(count, 'attempt', 'attempts'),
  deletedTemplate: 'Deleted template',
  search: 'Search',
  period: 'Time',
  anyTime: 'Any time',
  periods: { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  nothingFound: 'Nothing found',
  nothingFoundText: 'No entry matches all filters. Remove one, or shorten the search.',
  clear: 'Remove all filters',
  stopped:
    'The search stopped after 10 seconds: older entries were not searched. A shorter time or another filter makes it faster.',
};
