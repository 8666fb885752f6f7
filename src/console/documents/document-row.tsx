import type { components } from '@docmill/client';
import { Link } from 'wouter-preact';
import { summarizeRecipients } from '../deliveries/summarize-recipients.ts';
import { documentTexts } from '../texts/documents.ts';
import { Badge } from '../ui/badge.tsx';
import { formatDuration } from '../ui/format.ts';
import { Time } from '../ui/time.tsx';
import { DocumentStatus } from './document-status.tsx';

interface DocumentRowProps {
  readonly job: components['schemas']['Job'];
  readonly templateName: string;
}

export function DocumentRow({ job, templateName }: DocumentRowProps) {
  const { id, filename, status, pages, timings, warnings, error, createdAt, emailRecipients = [] } = job;
  return (
    <>
      <div>
        <Link class="row-link" href={`/documents/${id}`}>
          {filename}
        </Link>
        <p class="row-about">
          <span class="row-template" title={templateName}>
            {templateName}
          </span>
          {pages !== undefined && <span>{documentTexts.pages(pages)}</span>}
          {timings !== undefined && <span class="number">{formatDuration(timings.totalMs)}</span>}
          {emailRecipients.length > 0 && (
            <span title={emailRecipients.join(', ')}>{documentTexts.sentTo(summarizeRecipients(emailRecipients))}</span>
          )}
          {warnings.length > 0 && <span class="row-warning">{documentTexts.warnings(warnings.length)}</span>}
        </p>
      </div>
      <div class="row-side">
        <span class="badges">
          {job.test === true && <Badge>{documentTexts.test}</Badge>}
          <DocumentStatus status={status} />
        </span>
        <Time value={createdAt} isExact />
      </div>
      {error !== undefined && <p class="row-error">{error.message}</p>}
    </>
  );
}
