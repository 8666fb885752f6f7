import type { Docmill } from '@docmill/client';
import { InvalidRequestError } from '@docmill/client';
import { ArrowLeftRight, ChevronDown, ChevronUp, X } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { isObject } from '../../json-editor/is-object.ts';
import { useDocmill } from '../../session/session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { compareTexts } from '../../texts/templates.ts';
import { BusyBar } from '../../ui/busy-bar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import type { FieldChange } from './compare-fields.ts';
import type { ComparedPage } from './compare-pages.ts';
import { ComparedPages } from './compared-pages.tsx';
import { FieldChanges } from './field-changes.tsx';
import { mergeExamples } from './merge-examples.ts';
import { VersionChanges, type VersionDifferences } from './version-changes.tsx';

/** The page limit of a preview. */
const shownPages = 20;

interface ComparisonProps {
  readonly id: string;
  readonly current: number;
  readonly before: number;
  readonly after: number;
}

interface State {
  readonly pages: readonly ComparedPage[];
  readonly counts?: { readonly before: number; readonly after: number };
  readonly fields?: readonly FieldChange[];
  readonly differences?: VersionDifferences;
  readonly isDone: boolean;
  readonly error?: unknown;
}

/**
 * Two versions side by side. Pages are in rows, so that both scroll in step, with the differences marked; their fields
 * follow.
 */
export function Comparison({ id, current, before, after }: ComparisonProps) {
  const docmill = useDocmill();
  const [state, setState] = useState<State>({ pages: [], isDone: false });
  const [isMarked, setIsMarked] = useState(true);
  const rows = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const controller = new AbortController();
    const urls: string[] = [];
    const change = (next: Partial<State>): void => {
      if (!controller.signal.aborted) setState((known) => ({ ...known, ...next }));
    };
    const compare = async (): Promise<void> => {
      const { comparePages } = await import('./compare-pages.ts');
      const { compareFields } = await import('./compare-fields.ts');
      const rendered = await renderBoth(docmill, id, [before, after], controller.signal);
      const [old, next] = rendered;
      change({
        counts: { before: old.pageCount, after: next.pageCount },
        fields: compareFields(old.schema, next.schema),
      });
      change({ differences: await findDifferences(old, next) });
      const pages: ComparedPage[] = [];
      for await (const page of comparePages(old.pdf, next.pdf, controller.signal)) {
        urls.push(...[page.before, page.after, page.marks].filter((url) => url !== undefined));
        pages.push(page);
        change({ pages: [...pages] });
      }
      change({ isDone: true });
    };
    compare().catch((error: unknown) => change({ error, isDone: true }));
    return () => {
      controller.abort();
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, [docmill, id, before, after]);

  const step = (direction: 1 | -1): void => {
    const different = [...(rows.current?.querySelectorAll<HTMLElement>('[data-differs="true"]') ?? [])];
    // The current row is the one at the top edge.
    const isAhead = (element: HTMLElement): boolean =>
      element.getBoundingClientRect().top * direction > 80 * direction + 4;
    const target = direction === 1 ? different.find(isAhead) : different.findLast(isAhead);
    target?.scrollIntoView({ block: 'start' });
  };
  const { pages, counts, fields, differences, isDone, error } = state;
  const differing = pages.filter(({ share }) => share > 0).length;
  const listPath = `/templates/${id}/versions`;
  return (
    <section class="comparison card" aria-label={compareTexts.title}>
      <header>
        <h2>{compareTexts.title}</h2>
        <span class="actions">
          <Link
            class="icon-button"
            href={`${listPath}?before=${after}&after=${before}`}
            aria-label={compareTexts.swap}
            title={compareTexts.swap}
          >
            <ArrowLeftRight aria-hidden="true" />
          </Link>
          <Link class="icon-button" href={listPath} aria-label={shellTexts.close} title={shellTexts.close}>
            <X aria-hidden="true" />
          </Link>
        </span>
      </header>
      {error !== undefined && <ErrorNote error={error} />}
      {!isDone && <BusyBar text={compareTexts.working} />}
      <div role="status">
        {isDone && error === undefined && counts !== undefined && (
          <p>
            <strong>{differing === 0 ? compareTexts.same : compareTexts.differ(differing, pages.length)}</strong>{' '}
            {counts.before !== counts.after && compareTexts.pages(counts.before, counts.after)}{' '}
            {Math.max(counts.before, counts.after) > shownPages && compareTexts.cut(shownPages)}
          </p>
        )}
      </div>
      {fields !== undefined && <FieldChanges changes={fields} />}
      {differences !== undefined && <VersionChanges differences={differences} />}
      {pages.length > 0 && (
        <>
          <div class="comparison-tools">
            <label class="check">
              <input type="checkbox" checked={isMarked} onChange={() => setIsMarked(!isMarked)} />
              {compareTexts.mark}
            </label>
            <IconButton
              label={compareTexts.previous}
              icon={<ChevronUp />}
              disabled={differing === 0}
              onClick={() => step(-1)}
            />
            <IconButton
              label={compareTexts.next}
              icon={<ChevronDown />}
              disabled={differing === 0}
              onClick={() => step(1)}
            />
          </div>
          <div class="compared-heads">
            <h3>{compareTexts.version(before, before === current)}</h3>
            <h3>{compareTexts.version(after, after === current)}</h3>
          </div>
          <ComparedPages pages={pages} isMarked={isMarked} listRef={rows} />
        </>
      )}
    </section>
  );
}

interface Rendered {
  readonly pdf: Uint8Array<ArrayBuffer>;
  readonly pageCount: number;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly upload: Upload;
}

/** What belongs to a version besides its file. */
interface Upload {
  readonly fonts: readonly string[];
  readonly delimiters: string;
  readonly stated: unknown;
  readonly invoiceMap: unknown;
}

async function findDifferences(old: Rendered, next: Rendered): Promise<VersionDifferences> {
  const { compareLists, entriesOf } = await import('./compare-text.ts');
  const [before, after] = await Promise.all([readLines(old.pdf), readLines(next.pdf)]);
  const mappingOf = ({ upload }: Rendered) => entriesOf(upload.invoiceMap);
  const settingsOf = ({ upload: { delimiters, stated } }: Rendered) => [
    `${compareTexts.delimiters}: ${delimiters}`,
    ...entriesOf(stated).map((line) => `${compareTexts.statedSchema}: ${line}`),
  ];
  return {
    text: compareLists(before, after),
    fonts: compareLists(old.upload.fonts, next.upload.fonts),
    warnings: compareLists(old.warnings, next.warnings),
    mapping: compareLists(mappingOf(old), mappingOf(next)),
    settings: compareLists(settingsOf(old), settingsOf(next)),
  };
}

/** The lines of all pages, without changing the bytes, which are opened again to draw them. */
async function readLines(pdf: Uint8Array<ArrayBuffer>): Promise<readonly string[]> {
  const { linesOf } = await import('./compare-text.ts');
  const { openPdf } = await import('../../pdf/open-pdf.ts');
  const opened = await openPdf(pdf.slice());
  try {
    const lines: string[] = [];
    for (let page = 0; page < opened.pageCount; page += 1) lines.push(...linesOf(await opened.textOf(page)));
    return lines;
  } finally {
    opened.close();
  }
}

/** Renders both versions with the same data if it fits both, otherwise each with its own example. */
async function renderBoth(
  docmill: Docmill,
  id: string,
  versions: readonly [number, number],
  signal: AbortSignal,
): Promise<readonly [Rendered, Rendered]> {
  const read = async (version: number) => {
    const [schema, review] = await Promise.all([
      docmill.templates.schema(id, { version }, { signal }),
      docmill.templates.review(id, version, { signal }),
    ]);
    const { stated = null, invoiceMap = null } = schema;
    return { ...schema, upload: { fonts: review.fonts, delimiters: review.delimiters, stated, invoiceMap } };
  };
  const [old, next] = await Promise.all([read(versions[0]), read(versions[1])]);
  const render = async (version: number, { schema, upload }: typeof old, data: unknown): Promise<Rendered> => {
    const options = { preview: { format: 'pdf', pages: shownPages } } as const;
    const request = { templateId: id, version, data: isObject(data) ? data : {}, ...options };
    const { bytes, pageCount, warningCodes } = await docmill.templates.preview(request, { signal });
    return { pdf: bytes, pageCount, schema, upload, warnings: warningCodes };
  };
  const renderWith = async (data: readonly [unknown, unknown]) =>
    await Promise.all([render(versions[0], old, data[0]), render(versions[1], next, data[1])]);
  const both = mergeExamples(next.example, old.example);
  try {
    return await renderWith([both, both]);
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return await renderWith([old.example, next.example]);
  }
}
