import type { components } from '@docmill/client';
import { RotateCcw, ShieldCheck } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { operatorTexts } from '../texts/operator.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { formatTime } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import '../ui/rows.css';
import { EmptyState, ErrorNote, Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useLoad } from '../ui/use-load.ts';
import { useAdmin } from './operator-session.ts';
import { RetryDialog } from './retry-dialog.tsx';

type Quarantine = components['schemas']['AdminQuarantine'];
type Failing = Quarantine['documents'][number] | Quarantine['templates'][number];

/** What is asked before something is allowed again. */
interface Lift {
  readonly text: string;
  readonly target: components['schemas']['AdminLiftRequest'];
}

/** Suspended templates and documents in quarantine, which can be allowed again, and what can be produced again. */
export function FailuresPage() {
  const admin = useAdmin();
  const { value, error, reload } = useLoad((signal) => admin.operations.quarantine({}, { signal }), 'quarantine');
  const [lift, setLift] = useState<Lift>();
  const [isRetrying, setIsRetrying] = useState(false);
  const { templates = [], documents = [] } = value ?? {};
  const isEmpty = value !== undefined && templates.length === 0 && documents.length === 0;
  return (
    <>
      <PageHeader title={operatorTexts.failures} about={operatorTexts.failuresAbout}>
        <Button icon={<RotateCcw />} onClick={() => setIsRetrying(true)}>
          {operatorTexts.retryTitle}
        </Button>
      </PageHeader>
      <div class="sections">
        {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
        {value === undefined && error === undefined && <Skeleton lines={4} />}
        {isEmpty && (
          <EmptyState title={operatorTexts.failuresEmpty} icon={<ShieldCheck aria-hidden="true" />}>
            <p>{operatorTexts.failuresEmptyText}</p>
          </EmptyState>
        )}
        {templates.length > 0 && (
          <section>
            <h2>{operatorTexts.suspendedTitle}</h2>
            <ul class="rows" aria-label={operatorTexts.suspendedTitle}>
              {templates.map((each) => (
                <li key={each.templateId}>
                  <Failure of={each} />
                  <div class="row-side">
                    <Badge tone={each.suspendedUntil === null ? 'neutral' : 'bad'}>
                      {each.suspendedUntil === null
                        ? operatorTexts.observed
                        : operatorTexts.suspendedUntil(formatTime(each.suspendedUntil))}
                    </Badge>
                    <Button
                      aria-label={operatorTexts.liftDocument(each.templateId)}
                      onClick={() =>
                        setLift({ text: operatorTexts.liftTemplateText, target: { template: each.templateId } })
                      }
                    >
                      {operatorTexts.lift}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          </section>
        )}
        {documents.length > 0 && (
          <section>
            <h2>{operatorTexts.quarantineTitle}</h2>
            <ul class="rows" aria-label={operatorTexts.quarantineTitle}>
              {documents.map((each) => (
                <li key={each.fingerprint}>
                  <Failure of={each} />
                  <div class="row-side">
                    <Badge tone={each.isQuarantined ? 'bad' : 'neutral'}>
                      {each.isQuarantined ? operatorTexts.inQuarantine : operatorTexts.observed}
                    </Badge>
                    <Button
                      aria-label={operatorTexts.liftDocument(each.documentId)}
                      onClick={() =>
                        setLift({ text: operatorTexts.liftDocumentText, target: { fingerprint: each.fingerprint } })
                      }
                    >
                      {operatorTexts.lift}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {lift !== undefined && (
        <ConfirmDialog
          title={operatorTexts.liftTitle}
          text={lift.text}
          action={operatorTexts.lift}
          onClose={() => setLift(undefined)}
          onConfirm={async () => {
            await admin.operations.liftQuarantine(lift.target);
            showToast(operatorTexts.wasLifted);
            reload();
          }}
        />
      )}
      {isRetrying && <RetryDialog onClose={() => setIsRetrying(false)} />}
    </>
  );
}

function Failure({ of }: { readonly of: Failing }) {
  return (
    <div>
      <p>{of.reason}</p>
      <p class="row-about">
        <Link href={`/accounts/${of.accountId}`}>{of.accountId}</Link>
        <span>
          {operatorTexts.template} <code>{of.templateId}</code>
        </span>
        <span>
          {operatorTexts.document} <code>{of.documentId}</code>
        </span>
        <span>{operatorTexts.times(of.failures)}</span>
        <Time value={of.updatedAt} />
      </p>
    </div>
  );
}
