import type { components } from '@docmill/client';
import { Link } from 'wouter-preact';
import { TemplateLink } from '../session/template-link.tsx';
import { useTemplateNames } from '../session/use-template-names.ts';
import { documentTexts } from '../texts/documents.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { formatTime } from '../ui/format.ts';

export function DocumentFacts({ job }: { readonly job: components['schemas']['Job'] }) {
  const { id, templateId, templateVersion, engine, requestId, emailDeliveryId, createdAt, finishedAt } = job;
  const { includes = [], pdfEngineReasons = [] } = job;
  const names = useTemplateNames([templateId, ...includes.map((one) => one.templateId)]);
  return (
    <section class="card">
      <h2>{documentTexts.facts}</h2>
      <Facts
        facts={[
          [
            documentTexts.id,
            <span class="copied-fact">
              <code>{id}</code>
              <CopyButton text={id} />
            </span>,
          ],
          [
            documentTexts.template,
            <>
              <TemplateLink id={templateId} names={names} />, {documentTexts.version(templateVersion)}
            </>,
          ],
          [
            documentTexts.includes,
            includes.length === 0 ? undefined : (
              <ul class="plain-list">
                {includes.map((one) => (
                  <li key={one.name}>
                    <TemplateLink id={one.templateId} names={names} />, {documentTexts.version(one.version)}
                  </li>
                ))}
              </ul>
            ),
          ],
          [documentTexts.format, job.format.toUpperCase()],
          [documentTexts.requested, formatTime(createdAt)],
          [documentTexts.finished, finishedAt === undefined ? undefined : formatTime(finishedAt)],
          [documentTexts.sheets, job.pages],
          [documentTexts.engine, engine === undefined ? undefined : `${engine.name} ${engine.version}`],
          [documentTexts.engineReasons, pdfEngineReasons.length === 0 ? undefined : pdfEngineReasons.join(' ')],
          [
            documentTexts.email,
            emailDeliveryId === undefined ? undefined : (
              <Link href={`/deliveries/${emailDeliveryId}`}>{documentTexts.openEmail}</Link>
            ),
          ],
          [documentTexts.requestId, requestId === undefined ? undefined : <code>{requestId}</code>],
        ]}
      />
    </section>
  );
}
