import type { components } from '@docmill/client';
import { KeyRound } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { operatorTexts } from '../../texts/operator.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { FormDialog } from '../form-dialog.tsx';
import { useAdmin } from '../operator-session.ts';

type Key = components['schemas']['AdminKey'];

interface AccountKeysProps {
  readonly accountId: string;
  readonly keys: readonly Key[];
  readonly onChange: () => void;
}

/** The API keys of an account: one can be created, with its secret shown once, and each can be revoked. */
export function AccountKeys({ accountId, keys, onChange }: AccountKeysProps) {
  const admin = useAdmin();
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [revoking, setRevoking] = useState<Key>();
  const nameOf = ({ name }: Key): string => name ?? operatorTexts.unnamedKey;
  return (
    <section>
      <header class="page-header">
        <h2>{operatorTexts.keys}</h2>
        <Button icon={<KeyRound />} onClick={() => setIsCreating(true)}>
          {operatorTexts.createKey}
        </Button>
      </header>
      {keys.length === 0 && <p class="muted">{operatorTexts.noKeys}</p>}
      {keys.length > 0 && (
        <ul class="rows" aria-label={operatorTexts.keys}>
          {keys.map((key) => (
            <li key={key.keyId}>
              <div>
                <p>
                  {nameOf(key)} {key.revokedAt !== null && <Badge>{operatorTexts.revoked}</Badge>}
                </p>
                <p class="row-about">
                  <code>{key.keyId}</code>
                  {key.scopes !== null && <span>{key.scopes.join(', ')}</span>}
                  <Time value={key.createdAt} />
                </p>
              </div>
              {key.revokedAt === null && (
                <div class="row-side">
                  <Button aria-label={operatorTexts.revokeKey(nameOf(key))} onClick={() => setRevoking(key)}>
                    {operatorTexts.revoke}
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {isCreating && (
        <FormDialog
          title={operatorTexts.createKey}
          action={operatorTexts.create}
          fields={[
            { name: 'name', label: operatorTexts.keyName, kind: 'text' },
            { name: 'isTest', label: operatorTexts.testKey, kind: 'check' },
          ]}
          onClose={() => setIsCreating(false)}
          onSave={async ({ name, isTest }) => {
            const kind = isTest === true ? 'test' : 'live';
            const { apiKey } = await admin.keys.create(accountId, { name: String(name), kind });
            setSecret(apiKey);
            onChange();
          }}
        />
      )}
      {secret !== undefined && (
        <Dialog title={operatorTexts.newKeyTitle} onClose={() => setSecret(undefined)}>
          <p>{operatorTexts.newKeyText}</p>
          <p class="operator-secret">
            <code>{secret}</code>
            <CopyButton text={secret} />
          </p>
          <footer>
            <Button variant="primary" onClick={() => setSecret(undefined)}>
              {operatorTexts.done}
            </Button>
          </footer>
        </Dialog>
      )}
      {revoking !== undefined && (
        <ConfirmDialog
          isDestructive
          title={operatorTexts.revokeTitle(nameOf(revoking))}
          text={operatorTexts.revokeText}
          action={operatorTexts.revoke}
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await admin.keys.revoke(revoking.keyId);
            showToast(operatorTexts.wasRevoked);
            onChange();
          }}
        />
      )}
    </section>
  );
}
