import { ConnectionError, type Docmill } from '@docmill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { newIdempotencyKey } from '../../session/new-idempotency-key.ts';
import { useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';
import { formatNumber, formatShare } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { describeFailure } from '../file/describe-file.ts';
import type { InspectedFile } from '../file/inspect-file.ts';
import { type BuiltItems, buildItems } from '../mapping/build-items.ts';
import type { RowPlan } from '../mapping/build-row.ts';
import { startedFiles } from '../started-files.ts';
import type { BatchOptions } from './output-form-state.ts';
import { StoppableProgress } from './stoppable-progress.tsx';

/** Sending a gigabyte takes a while. */
const sendTimeoutMs = 30 * 60_000;
const shownRows = 20;

type Quote = Awaited<ReturnType<Docmill['batches']['quote']>>;

/** Rows and options whose cost is known. Equal ones always start the same batch. */
interface QuotedBatch {
  readonly rows: BuiltItems;
  readonly options: BatchOptions;
  readonly quote: Quote;
  readonly idempotencyKey: string;
}

type Step =
  | { readonly kind: 'open' }
  | { readonly kind: 'preparing'; readonly share: number }
  | { readonly kind: 'asking' }
  | { readonly kind: 'quoted'; readonly quoted: QuotedBatch }
  | { readonly kind: 'starting'; readonly quoted: QuotedBatch };

interface QuoteStepProps {
  readonly templateId: string;
  readonly file: InspectedFile;
  readonly plan: RowPlan;
  readonly options: BatchOptions;
}

/** Shows the cost of the batch and starts it. The page recreates this component whenever anything changes. */
export function QuoteStep({ templateId, file, plan, options }: QuoteStepProps) {
  const docmill = useDocmill();
  const [, navigate] = useLocation();
  const [step, setStep] = useState<Step>({ kind: 'open' });
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>();
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
      running.current?.abort();
    },
    [],
  );

  const ask = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setError(undefined);
    setStep({ kind: 'preparing', share: 0 });
    const onProgress = (share: number) => signal.aborted || setStep({ kind: 'preparing', share });
    try {
      const rows = await buildItems(file, plan, { onProgress, signal });
      setStep({ kind: 'asking' });
      const quote = await docmill.batches.quote(templateId, rows, options, { signal, timeoutMs: sendTimeoutMs });
      setStep({ kind: 'quoted', quoted: { rows, options, quote, idempotencyKey: newIdempotencyKey() } });
    } catch (failure) {
      if (signal.aborted) return;
      setError(describeFailure(failure));
      setStep({ kind: 'open' });
    }
  };
  const start = async (quoted: QuotedBatch): Promise<void> => {
    if (step.kind !== 'quoted') return;
    setError(undefined);
    setStep({ kind: 'starting', quoted });
    const { rows, options: quotedOptions, idempotencyKey } = quoted;
    try {
      // Leaving the page does not abort the request, because the batch may have started.
      const call = { idempotencyKey, timeoutMs: sendTimeoutMs };
      const batch = await docmill.batches.create(templateId, rows, quotedOptions, call);
      startedFiles.set(batch.id, { file: file.file, format: file.format });
      showToast(batchTexts.startedToast);
      if (isShown.current) navigate(`/batches/${batch.id}`);
    } catch (failure) {
      setError(failure instanceof ConnectionError ? new Error(batchTexts.lostAnswer) : describeFailure(failure));
      setStep({ kind: 'quoted', quoted });
    }
  };

  const quoted = 'quoted' in step ? step.quoted : undefined;
  return (
    <>
      <p class="muted">{batchTexts.costAbout}</p>
      {quoted !== undefined && <QuoteFacts quoted={quoted} />}
      {error !== undefined && <ErrorNote error={error} />}
      {(step.kind === 'preparing' || step.kind === 'asking') && (
        <StoppableProgress
          text={step.kind === 'asking' ? batchTexts.asking : batchTexts.preparing(formatShare(step.share))}
          share={step.kind === 'preparing' ? step.share : undefined}
          onStop={() => {
            running.current?.abort();
            setStep({ kind: 'open' });
          }}
        />
      )}
      <div class="actions">
        {step.kind === 'open' && (
          <Button variant="primary" onClick={() => void ask()}>
            {batchTexts.checkCost}
          </Button>
        )}
        {quoted?.quote.fits === true && quoted.quote.cost > 0 && (
          <Button variant="primary" isBusy={step.kind === 'starting'} onClick={() => void start(quoted)}>
            {step.kind === 'starting' ? batchTexts.starting : batchTexts.start(quoted.quote.cost)}
          </Button>
        )}
        {step.kind === 'quoted' && <Button onClick={() => void ask()}>{batchTexts.checkCost}</Button>}
      </div>
    </>
  );
}

function QuoteFacts({ quoted: { quote, rows } }: { readonly quoted: QuotedBatch }) {
  const unclear = new Map(rows.unclear.map((cell) => [cell.row, cell]));
  const left = Math.min(quote.remaining, quote.budgetRemaining ?? quote.remaining);
  const facts: readonly (readonly [string, string])[] = [
    [batchTexts.cost, batchTexts.documents(quote.cost)],
    [batchTexts.left, formatNumber(quote.remaining)],
    ...(quote.budgetRemaining === undefined
      ? []
      : ([[batchTexts.budget, formatNumber(quote.budgetRemaining)]] as const)),
    ...(quote.fits ? ([[batchTexts.leftAfter, formatNumber(left - quote.cost)]] as const) : []),
  ];
  return (
    <div role="status" class="quote">
      <dl class="figures">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
      {quote.cost > left && <p class="note bad">{batchTexts.doesNotFit(quote.cost - left)}</p>}
      {quote.emailProblem !== undefined && <p class="note bad">{quote.emailProblem}</p>}
      {quote.cost === 0 && <p class="note bad">{batchTexts.nothingValid}</p>}
      {quote.invalidRowCount > 0 && (
        <details class="note warn" open>
          <summary>{batchTexts.invalidRows(quote.invalidRowCount)}</summary>
          <ul class="small">
            {quote.invalidRows.slice(0, shownRows).map(({ row, error }) => {
              const cell = unclear.get(row);
              return (
                <li key={row} class="any-text">
                  {cell === undefined ? batchTexts.invalidRow(row, error.message) : batchTexts.unclearRow(cell)}
                </li>
              );
            })}
            {quote.invalidRowCount > shownRows && <li>{batchTexts.andMore(quote.invalidRowCount - shownRows)}</li>}
          </ul>
        </details>
      )}
    </div>
  );
}
