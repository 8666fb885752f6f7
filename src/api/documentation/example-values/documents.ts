import { exampleId } from '../../routes/common-schemas.ts';
import { checksum, createdAt, type Examples, expiresAt, finishedAt, plain, startedAt } from './common.ts';
import { data, template } from './templates.ts';

export const job = {
  id: exampleId('doc'),
  status: 'succeeded',
  templateId: template.id,
  templateVersion: 1,
  format: 'pdf',
  filename: 'invoice-2026-114.pdf',
  size: 48_213,
  pages: 2,
  pdfEngine: 'office',
  engine: { name: 'LibreOffice', version: '25.2.3.2' },
  warnings: [],
  conformance: { passed: true, standards: [{ standard: 'PDF/A-2b', passed: true, checked: 46, failures: [] }] },
  timings: { queueMs: 3, renderMs: 21, convertMs: 180, totalMs: 214 },
  createdAt,
  startedAt,
  finishedAt,
  expiresAt,
};

const receipt = {
  id: job.id,
  template: { id: template.id, version: 1, sha256: checksum },
  data: { sha256: checksum },
  result: { format: 'pdf', filename: job.filename, size: 48_213, sha256: checksum, pages: 2, warnings: 0 },
  options: { locale: 'en-GB' },
  documentDate: createdAt,
  engine: job.engine,
  service: { version: '0.1.0', node: '24.20.0' },
  acceptedAt: createdAt,
  finishedAt,
};

const delivery = {
  id: exampleId('dlv'),
  documentId: job.id,
  status: 'sent',
  attempts: 1,
  recipients: [{ address: 'ada@example.com', status: 'sent', reply: '250 2.0.0 Ok' }],
  subject: 'Your invoice',
  createdAt,
  finishedAt,
};

const queuedDelivery = {
  ...delivery,
  status: 'pending',
  finishedAt: undefined,
  nextAttemptAt: finishedAt,
  recipients: [{ address: 'ada@example.com', status: 'pending' }],
};

export const documentExamples: Examples = {
  Job: job,
  TimelineEntry: { step: 'queue', status: 'succeeded', startedAt: createdAt, finishedAt: startedAt },
  JobRequest: {
    templateId: template.id,
    templateVersion: 1,
    output: { format: 'pdf', filename: 'invoice-2026-114.pdf', locale: 'en-GB' },
    dataSha256: checksum,
    data: JSON.stringify(data),
  },
  SignedReceipt: { receipt, signature: 'eyJhbGciOiJFZERTQSJ9.eyJpZCI6ImRvY18wMSJ9.c2lnbmF0dXJl' },
  'startJob 202': plain({
    ...job,
    status: 'queued',
    size: undefined,
    pages: undefined,
    pdfEngine: undefined,
    engine: undefined,
    conformance: undefined,
    timings: undefined,
    startedAt: undefined,
    finishedAt: undefined,
    expiresAt: undefined,
  }),
  Delivery: delivery,
  'createDelivery 202': plain(queuedDelivery),
  'resendDelivery 202': plain(queuedDelivery),
};
