import type { components } from '@docmill/client';
import { KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useDocmill } from '../session/session.ts';
import { webhookTexts } from '../texts/webhooks.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { formatDuration } from '../ui/format.ts';
import { ErrorNote } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../ui/use-action.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';

type Schemas = components['schemas'];

interface WebhookActionsProps {
  readonly webhook: Schemas['Webhook'];
  readonly onChange: () => void;
}

/**
 * The actions for a webhook. The implicit one of `callbackUrl` has no address of its own; only its secret can be
 * replaced.
 */
export function WebhookActions({ webhook, onChange }: WebhookActionsProps) {
  const docmill = useDocmill();
  const [, go] = useLocation();
  const [open, setOpen] = useState<'edit' | 'rotate' | 'remove'>();
  const [secret, setSecret] = useState<string>();
  const close = (): void => setOpen(undefined);
  const { id, kind } = webhook;
  const isOn = webhook.status === 'enabled';
  const test = useAction(async () => {
    showToast(describeTest(await docmill.webhooks.test(id)));
    onChange();
  });
  const toggle = useAction(async () => {
    await docmill.webhooks.update(id, { status: isOn ? 'disabled' : 'enabled' });
    showToast(isOn ? webhookTexts.paused : webhookTexts.enabled);
    onChange();
  });
  const error = test.error ?? toggle.error;
  return (
    <>
      {kind === 'endpoint' && (
        <>
          {isOn && (
            <Button variant="primary" icon={<Send />} isBusy={test.isBusy} onClick={() => test.run()}>
              {webhookTexts.test}
            </Button>
          )}
          <Button icon={<Pencil />} onClick={() => setOpen('edit')}>
            {webhookTexts.edit}
          </Button>
          <Button icon={isOn ? <Pause /> : <Play />} isBusy={toggle.isBusy} onClick={() => toggle.run()}>
            {isOn ? webhookTexts.pause : webhookTexts.enable}
          </Button>
        </>
      )}
      <Button icon={<KeyRound />} onClick={() => setOpen('rotate')}>
        {webhookTexts.rotate}
      </Button>
      {kind === 'endpoint' && (
        <Button icon={<Trash2 />} onClick={() => setOpen('remove')}>
          {webhookTexts.remove}
        </Button>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      {open === 'edit' && (
        <WebhookForm
          title={webhookTexts.editTitle}
          webhook={webhook}
          onClose={close}
          onSave={async (fields) => {
            await docmill.webhooks.update(id, fields);
            close();
            showToast(webhookTexts.saved);
            onChange();
          }}
        />
      )}
      {open === 'rotate' && (
        <ConfirmDialog
          isDestructive
          title={webhookTexts.rotateTitle}
          text={webhookTexts.rotateText}
          action={webhookTexts.rotate}
          onClose={close}
          onConfirm={async () => {
            const rotated = await docmill.webhooks.rotateSecret(id);
            setSecret(rotated.secret);
            onChange();
          }}
        />
      )}
      {open === 'remove' && (
        <ConfirmDialog
          isDestructive
          title={webhookTexts.removeTitle}
          text={webhookTexts.removeText}
          action={webhookTexts.remove}
          onClose={close}
          onConfirm={async () => {
            await docmill.webhooks.delete(id);
            showToast(webhookTexts.removed);
            go('/webhooks');
          }}
        />
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function describeTest({ status, response, error, durationMs }: Schemas['WebhookDelivery']): string {
  if (status === 'delivered')
    return webhookTexts.testDelivered(response?.status ?? 200, formatDuration(durationMs ?? 0));
  return status === 'failed' ? webhookTexts.testFailed(error ?? '') : webhookTexts.testPending;
}
