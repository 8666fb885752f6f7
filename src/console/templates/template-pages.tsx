import type { components } from '@docmill/client';
import { lazy, Suspense } from 'preact/compat';
import { useMemo, useState } from 'preact/hooks';
import { isObject } from '../json-editor/is-object.ts';
import { hasScope, useDocmill } from '../session/session.ts';
import { templatePageTexts } from '../texts/templates.ts';
import { Segments } from '../ui/segments.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { drawProblems } from './problems/draw-problems.ts';
import { warningsOf } from './problems/problem.ts';
import { toMarks } from './problems/problem-marks.ts';
import type { Checks } from './use-checks.ts';

const PdfViewer = lazy(() => import('../pdf/pdf-viewer.tsx'));

/** The page limit of a preview. */
const shownPages = 20;

interface TemplatePagesProps {
  readonly template: components['schemas']['TemplateDetail'];
  readonly warnings: Checks['warnings'] | undefined;
}

/** The pages of a template: filled with its example data, or with its tags as written and its warnings marked. */
export function TemplatePages({ template: { id, version, delimiters }, warnings = [] }: TemplatePagesProps) {
  const docmill = useDocmill();
  const [mode, setMode] = useState<'filled' | 'written'>('filled');
  const problems = useMemo(() => warningsOf(warnings, delimiters), [warnings, delimiters]);
  const canDraw = hasScope('generate');
  const { value, error, isLoading, reload } = useLoad(
    async (signal) => {
      if (!canDraw) return undefined;
      if (mode === 'written') {
        const file = new Blob([await docmill.templates.downloadVersion(id, version, { signal })]);
        return await drawProblems(docmill, file, problems, signal);
      }
      const { example } = await docmill.templates.schema(id, { version }, { signal });
      const data = isObject(example) ? example : {};
      const request = { templateId: id, version, data, preview: { format: 'pdf', pages: shownPages } } as const;
      const { bytes, pageCount } = await docmill.templates.preview(request, { signal });
      return { pdf: bytes, pageCount, places: [] };
    },
    `${id} ${version} ${mode} ${mode === 'written' ? problems.length : ''}`,
  );
  const marks = useMemo(() => toMarks(problems, value?.places ?? []), [problems, value]);
  return (
    <div class="template-pages" aria-busy={isLoading}>
      {canDraw && (
        <Segments
          label={templatePageTexts.pages}
          value={mode}
          options={[
            ['filled', templatePageTexts.filled],
            ['written', templatePageTexts.written],
          ]}
          onSelect={setMode}
        />
      )}
      {!canDraw && <p class="muted">{templatePageTexts.noPreview}</p>}
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {canDraw && isLoading && value === undefined && (
        <div class="page-loading">
          <Skeleton lines={1} />
        </div>
      )}
      {canDraw && !isLoading && error === undefined && value === undefined && (
        <p class="muted">{templatePageTexts.notDrawn}</p>
      )}
      {value !== undefined && (
        <Suspense fallback={<Skeleton lines={6} />}>
          <PdfViewer bytes={value.pdf} label={templatePageTexts.pages} totalPages={value.pageCount} marks={marks} />
        </Suspense>
      )}
    </div>
  );
}
