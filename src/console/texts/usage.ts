import { formatCount, formatNumber } from '../ui/format.ts';

const documents = (count: number): string => formatCount(count, 'document', 'documents');

export const usageTexts = {
  title: 'Usage',
  about: 'What this account may use, and what it has used.',
  quotas: 'What is left',
  gauges: {
    subscriptionDocs: 'Documents of the subscription',
    creditDocs: 'Documents of credits',
    subscriptionTemplates: 'Templates of the subscription',
    creditTemplates: 'Templates of credits',
    budget: 'Documents of this key, this month',
  },
  left: 'left',
  ofAllocated: (allocated: number) => `of ${formatNumber(allocated)}`,
  gaugeValue: (remaining: number, allocated: number) => `${formatNumber(remaining)} of ${formatNumber(allocated)} left`,
  noQuotas: 'Nothing is allocated. The operator of this service gives subscriptions and credits.',
  range: 'Time',
  ranges: {
    '7': 'Last 7 days',
    '30': 'Last 30 days',
    '90': 'Last 90 days',
    '365': 'Last 365 days',
    custom: 'From … to …',
  },
  from: 'From',
  to: 'To',
  totals: {
    documents: 'Documents',
    pages: 'Pages',
    bytes: 'Size of the files',
    failures: 'Failed',
    cancelled: 'Cancelled',
  },
  perDay: 'Documents per day',
  chart: 'Documents per day. Arrow keys choose a day.',
  all: 'Documents',
  others: 'Other templates',
  failed: 'Failed',
  day: 'Day',
  dayText: (day: string, count: number, failures: number) =>
    failures === 0 ? `${day}: ${documents(count)}` : `${day}: ${documents(count)}, ${formatNumber(failures)} failed`,
  table: 'As a table',
  byTemplate: 'By template',
  byKey: 'By key',
  unknownKey: 'Unknown keys',
  count: documents,
  more: (count: number) => `and ${formatNumber(count)} more`,
  nothing: 'No documents in this time.',
};
