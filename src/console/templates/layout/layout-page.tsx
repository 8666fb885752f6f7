import '../templates.css';
import { type components, type Docmill, NotFoundError } from '@docmill/client';
import { lazy, Suspense } from 'preact/compat';
import { useMemo } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { isObject } from '../../json-editor/is-object.ts';
import { serviceUrl } from '../../session/addresses.ts';
import { hasScope, useDocmill } from '../../session/session.ts';
import { layoutTexts, templatePageTexts } from '../../texts/templates.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { MissingTemplate } from '../missing-template.tsx';
import { adviceFor, markAt, placeInExample } from './layout-reason.ts';

const PdfViewer = lazy(() => import('../../pdf/pdf-viewer.tsx'));

type Template = components['schemas']['TemplateDetail'];

/** The page limit of a preview. */
const shownPages = 20;

/** `/templates/:id/layout`: what lays out the template's PDFs, and each reason for LibreOffice. */
export default function LayoutPage() {
  const { id = '' } = useParams();
  const docmill = useDocmill();
  const { value: template, error, reload } = useLoad((signal) => docmill.templates.get(id, { signal }), id);
  if (error instanceof NotFoundError) return <MissingTemplate />;
  if (template === undefined) {
    if (error !== undefined) return <ErrorNote error={error} onRetry={reload} />;
    return <Skeleton lines={8} />;
  }
  const { name, pdfEngine, pdfEngineReasons: reasons, proving } = template;
  const state = pdfEngine === 'direct' ? 'direct' : proving ? 'proving' : reasons.length > 0 ? 'office' : 'unknown';
  return (
    <>
      <PageHeader
        title={layoutTexts.title}
        parent={<Link href={`/templates/${id}`}>{name}</Link>}
        about={layoutTexts.states[state]}
      >
        {proving && <Button onClick={reload}>{layoutTexts.reload}</Button>}
      </PageHeader>
      <div class="template-columns">
        <Pages template={template} />
        <section class="card">
          <h2>{layoutTexts.reasons}</h2>
          {reasons.length === 0 && <p class="muted">{layoutTexts.noReasons}</p>}
          <ol class="plain-list">
            {reasons.map((reason) => (
              <Reason key={reason} reason={reason} />
            ))}
          </ol>
          <p class="small">
            <a href={`${serviceUrl}/guide/guides/direct-pdfs.html`}>{layoutTexts.guide}</a>
          </p>
        </section>
      </div>
    </>
  );
}

function Reason({ reason }: { readonly reason: string }) {
  const advice = adviceFor(reason);
  return (
    <li>
      <p>{reason}</p>
      {advice !== undefined && <p class="muted small">{layoutTexts.whatHelps(advice)}</p>}
    </li>
  );
}

/** The pages on which a place is known: those of the document that differed, or those with the example data. */
function Pages({ template }: { readonly template: Template }) {
  const docmill = useDocmill();
  const { id, version, pdfEngineEvidence: evidence, pdfEngineReasons: reasons } = template;
  const canDraw = hasScope('generate');
  const { value, error, isLoading, reload } = useLoad(
    async (signal) => (canDraw ? await drawPages(docmill, template, signal) : undefined),
    `${id} ${version} ${evidence?.jobId ?? ''}`,
  );
  const marks = useMemo(() => {
    const isDocument = value?.isDocument === true;
    const places = isDocument
      ? (evidence?.differences ?? []).map((place) => ({ place, label: place.message }))
      : reasons.map((label) => ({ place: placeInExample(label), label }));
    return places.flatMap(({ place, label }) => (place === undefined ? [] : (markAt(place, label) ?? [])));
  }, [value, evidence, reasons]);
  return (
    <div class="template-pages" aria-busy={isLoading}>
      {!canDraw && <p class="muted">{templatePageTexts.noPreview}</p>}
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {canDraw && isLoading && value === undefined && (
        <div class="page-loading">
          <Skeleton lines={1} />
        </div>
      )}
      {value !== undefined && (
        <>
          <p class="muted small">{layoutTexts.shown(value.isDocument, marks.length)}</p>
          <Suspense fallback={<Skeleton lines={6} />}>
            <PdfViewer bytes={value.pdf} label={layoutTexts.pages} totalPages={value.pageCount} marks={marks} />
          </Suspense>
        </>
      )}
    </div>
  );
}

/** The document in which a difference was found, as long as it is kept; otherwise the pages with the example data. */
async function drawPages(docmill: Docmill, { id, version, pdfEngineEvidence }: Template, signal: AbortSignal) {
  if (pdfEngineEvidence !== undefined) {
    const pdf = await docmill.jobs.download(pdfEngineEvidence.jobId, { signal }).catch(() => undefined);
    signal.throwIfAborted();
    if (pdf !== undefined) return { pdf, pageCount: undefined, isDocument: true };
  }
  const { example } = await docmill.templates.schema(id, { version }, { signal });
  const data = isObject(example) ? example : {};
  const request = { templateId: id, version, data, preview: { format: 'pdf', pages: shownPages } } as const;
  const { bytes, pageCount } = await docmill.templates.preview(request, { signal });
  return { pdf: bytes, pageCount, isDocument: false };
}
