import type { components } from '@docmill/client';
import { Ban, Coins, Pause, Play, Settings2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { operatorTexts } from '../../texts/operator.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useAdmin } from '../operator-session.ts';

interface AccountActionsProps {
  readonly account: components['schemas']['AdminAccount'];
  readonly onChange: () => void;
}

/** What can be done with an account; nothing if it is being deleted. */
export function AccountActions({ account, onChange }: AccountActionsProps) {
  const admin = useAdmin();
  const [open, setOpen] = useState<'suspend' | 'pause' | 'grant' | 'subscription'>();
  const { accountId: id, name, suspendedAt, deletingSince, subscription } = account;
  const backlog = useLoad(async (signal) => {
    const [{ queues }, { paused }] = await Promise.all([
      admin.operations.queues({ account: id }, { signal }),
      admin.operations.pauses({ signal }),
    ]);
    const waiting = queues.reduce((sum, each) => sum + each.waiting, 0);
    return { waiting, isPaused: paused.some(({ target }) => target === `account:${id}`) };
  }, id);
  if (deletingSince !== null) return null;
  const close = (): void => setOpen(undefined);
  const { waiting, isPaused } = backlog.value ?? { waiting: 0, isPaused: false };
  const ended = (text: string): void => {
    showToast(text);
    onChange();
    backlog.reload();
  };
  return (
    <>
      <Button icon={<Coins />} onClick={() => setOpen('grant')}>
        {operatorTexts.grant}
      </Button>
      <Button icon={<Settings2 />} onClick={() => setOpen('subscription')}>
        {operatorTexts.setSubscription}
      </Button>
      {backlog.value !== undefined && (
        <Button icon={isPaused ? <Play /> : <Pause />} onClick={() => setOpen('pause')}>
          {isPaused ? operatorTexts.resumeDocuments : operatorTexts.pauseAccount}
        </Button>
      )}
      <Button icon={suspendedAt === null ? <Ban /> : <Play />} onClick={() => setOpen('suspend')}>
        {suspendedAt === null ? operatorTexts.suspend : operatorTexts.resume}
      </Button>
      {open === 'suspend' && (
        <ConfirmDialog
          isDestructive={suspendedAt === null}
          title={(suspendedAt === null ? operatorTexts.suspendTitle : operatorTexts.resumeAccountTitle)(name)}
          text={suspendedAt === null ? operatorTexts.suspendText : operatorTexts.resumeAccountText}
          action={suspendedAt === null ? operatorTexts.suspend : operatorTexts.resume}
          onClose={close}
          onConfirm={async () => {
            await (suspendedAt === null ? admin.accounts.suspend(id) : admin.accounts.resume(id));
            ended(suspendedAt === null ? operatorTexts.wasSuspended : operatorTexts.wasUnsuspended);
          }}
        />
      )}
      {open === 'pause' && (
        <ConfirmDialog
          title={(isPaused ? operatorTexts.resumeDocumentsTitle : operatorTexts.pauseAccountTitle)(name)}
          text={(isPaused ? operatorTexts.resumeDocumentsText : operatorTexts.pauseAccountText)(waiting)}
          action={isPaused ? operatorTexts.resume : operatorTexts.pause}
          onClose={close}
          onConfirm={async () => {
            await (isPaused ? admin.operations.resume({ account: id }) : admin.operations.pause({ account: id }));
            ended((isPaused ? operatorTexts.wasResumed : operatorTexts.wasPaused)(name));
          }}
        />
      )}
      {open === 'grant' && (
        <FormDialog
          title={operatorTexts.grant}
          text={operatorTexts.grantText}
          action={operatorTexts.grant}
          fields={[
            { name: 'docs', label: operatorTexts.docs, kind: 'count' },
            { name: 'templates', label: operatorTexts.templates, kind: 'count', value: 0 },
          ]}
          onClose={close}
          onSave={async ({ docs, templates }) => {
            await admin.accounts.grantCredits(id, { docs: Number(docs), templates: Number(templates) });
            ended(operatorTexts.granted);
          }}
        />
      )}
      {open === 'subscription' && (
        <FormDialog
          title={operatorTexts.setSubscription}
          action={operatorTexts.save}
          fields={[
            { name: 'docs', label: operatorTexts.docsPerMonth, kind: 'count', value: subscription?.docs ?? '' },
            {
              name: 'templates',
              label: operatorTexts.templatesAllowed,
              kind: 'count',
              value: subscription?.templates ?? '',
            },
          ]}
          onClose={close}
          onSave={async ({ docs, templates }) => {
            await admin.accounts.setSubscription(id, { docs: Number(docs), templates: Number(templates) });
            ended(operatorTexts.subscriptionSet);
          }}
        />
      )}
    </>
  );
}
