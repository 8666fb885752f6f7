import { exampleId } from '../../routes/common-schemas.ts';
import { checksum, createdAt, type Examples, expiresAt, finishedAt, plain, startedAt } from './common.ts';
import { job } from './documents.ts';
import { template } from './templates.ts';

export const batchSummary = {
  id: exampleId('bat'),
  status: 'completed',
  templateId: template.id,
  templateVersion: 1,
  format: 'pdf',
  bundle: 'zip',
  rows: 2,
  files: [{ name: 'invoice.zip', size: 96_426, checksum, firstRow: 1, lastRow: 2 }],
  createdAt,
  startedAt,
  finishedAt,
  expiresAt,
};

export const counts = { queued: 0, running: 0, succeeded: 2, failed: 0, cancelled: 0 };

const batch = { ...batchSummary, counts, warnings: [] };

const acceptedBatch = {
  ...batch,
  status: 'accepted',
  files: [],
  counts: { ...counts, queued: 2, succeeded: 0 },
  startedAt: undefined,
  finishedAt: undefined,
  expiresAt: undefined,
};

export const batchExamples: Examples = {
  Batch: batch,
  'createBatch 202': plain(acceptedBatch),
  'retryBatch 202': plain({ ...acceptedBatch, status: 'running', startedAt }),
  'cancelBatch 200': { ...batch, status: 'cancelled', counts: { ...counts, succeeded: 1, cancelled: 1 } },
  BatchSummary: batchSummary,
  BatchRow: { row: 1, jobId: job.id, status: 'succeeded', filename: 'invoice-1.pdf', size: 48_213 },
  BatchManifestEntry: {
    row: 1,
    file: 'invoice-1.pdf',
    status: 'succeeded',
    checksum,
    size: 48_213,
    pages: 2,
    jobId: job.id,
  },
  BatchQuote: { rows: 2, cost: 2, remaining: 988, fits: true, invalidRowCount: 0, invalidRows: [] },
};
