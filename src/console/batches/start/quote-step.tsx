import { ConnectionError, type Docmill } from '@docmill/client';
import { type MutableRef, useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { newIdempotencyKey } from '../../session/new-idempotency-key.ts';
import { useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { cellTexts } from '../../texts/cells.ts';
import { Button } from '../../ui/button.tsx';
import { formatNumber, formatShare } from '../../ui/format.ts';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { describeFailure } from '../file/describe-file.ts';
import type { InspectedFile } from '../file/inspect-file.ts';
import { type BuiltItems, buildItems } from '../mapping/build-items.ts';
import { type Corrections, type RowPlan, unclearColumns } from '../mapping/row-plan.ts';
import { type StartedFile, startedFiles } from '../started-files.ts';
import { BadCells } from './bad-cells.tsx';
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
  /** The initial state of the batch of the failed rows. */
  readonly choices: Required<Pick<StartedFile, 'choices' | 'form' | 'corrections'>>;
  /** Whether the rows are checked without a click, once. */
  readonly isCheckDue: MutableRef<boolean>;
  readonly onCorrect: (corrections: Corrections) => void;
}

/** Shows the cost of the batch and starts it. The page recreates this component whenever anything changes. */
export function QuoteStep({ templateId, file, plan, options, choices, isCheckDue, onCorrect }: QuoteStepProps) {
  const docmill = useDocmill();
  const [, navigate] = useLocation();
  const [step, setStep] = useState<Step>({ kind: 'open' });
  const [error, setError] = useState<unknown>();
  // The quoted rows do not include the corrections, so they cannot be started while there are any.
  const [isCorrecting, setIsCorrecting] = useState(false);
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
    setIsCorrecting(false);
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
      startedFiles.set(batch.id, { file: file.file, format: file.format, ...choices });
      showToast(batchTexts.startedToast);
      if (isShown.current) navigate(`/batches/${batch.id}`);
    } catch (failure) {
      setError(failure instanceof ConnectionError ? new Error(batchTexts.lostAnswer) : describeFailure(failure));
      setStep({ kind: 'quoted', quoted });
    }
  };

  useEffect(() => {
    if (isCheckDue.current) void ask();
    isCheckDue.current = false;
  }, []);

  const quoted = 'quoted' in step ? step.quoted : undefined;
  const unclear = unclearColumns(plan);
  return (
    <>
      <p class="muted">{batchTexts.costAbout}</p>
      {quoted !== undefined && <QuoteFacts quoted={quoted} />}
      {quoted !== undefined && quoted.rows.badCells.length > 0 && (
        <BadCells
          key={quoted.idempotencyKey}
          rows={quoted.rows}
          corrections={choices.corrections}
          onWrite={() => setIsCorrecting(true)}
          onCorrect={onCorrect}
        />
      )}
      {unclear.length > 0 && <p class="note warn any-text">{cellTexts.unclearColumns(unclear)}</p>}
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
        {step.kind === 'open' && unclear.length === 0 && (
          <Button variant="primary" onClick={() => void ask()}>
            {batchTexts.checkCost}
          </Button>
        )}
        {quoted?.quote.fits === true && quoted.quote.cost > 0 && !isCorrecting && (
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
  const corrected = new Set(rows.badCells.map(({ row }) => row));
  const others = quote.invalidRows.filter(({ row }) => !corrected.has(row));
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
      {quote.invalidRowCount > 0 && <p class="note warn">{batchTexts.invalidRows(quote.invalidRowCount)}</p>}
      {others.length > 0 && <InvalidRows rows={others} />}
    </div>
  );
}

/** The rows that fail for a reason other than a cell. */
function InvalidRows({ rows }: { readonly rows: Quote['invalidRows'] }) {
  const [shown, setShown] = useState(shownRows);
  return (
    <>
      <ul class="small">
        {rows.slice(0, shown).map(({ row, error }) => (
          <li key={row} class="any-text">
            {batchTexts.invalidRow(row, error.message)}
          </li>
        ))}
      </ul>
      <MoreButton hasMore={rows.length > shown} onMore={() => setShown(shown + shownRows * 5)} />
    </>
  );
}
