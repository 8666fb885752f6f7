import type { components } from '@docmill/client';
import { useState } from 'preact/hooks';
import { operatorTexts } from '../../texts/operator.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ListStart } from '../../ui/list-start.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { usePages } from '../../ui/use-pages.ts';
import { useAdmin } from '../operator-session.ts';

type Delivery = components['schemas']['AdminDelivery'];

const pageSize = 10;

/** The e-mails of an account that failed; each can be sent again. */
export function FailedEmails({ id }: { readonly id: string }) {
  const admin = useAdmin();
  const pages = usePages<Delivery>(
    (signal) => admin.accounts.deliveries(id, { status: 'failed' }, { signal }),
    pageSize,
    id,
  );
  const [asked, setAsked] = useState<Delivery>();
  return (
    <section>
      <h2>{operatorTexts.emailsFailed}</h2>
      <ListStart
        pages={pages}
        loading={<Skeleton lines={2} />}
        empty={<p class="muted">{operatorTexts.noFailedEmails}</p>}
      />
      {pages.entries.length > 0 && (
        <ul class="rows" aria-label={operatorTexts.emailsFailed}>
          {pages.entries.map((delivery) => (
            <li key={delivery.deliveryId}>
              <div>
                <p>
                  <code>{delivery.deliveryId}</code>
                </p>
                <p class="row-about">
                  {delivery.lastReply !== null && <span>{delivery.lastReply}</span>}
                  <Time value={delivery.createdAt} />
                </p>
              </div>
              <div class="row-side">
                <Button onClick={() => setAsked(delivery)}>{operatorTexts.sendAgain}</Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <MoreButton hasMore={pages.hasMore} isBusy={pages.isLoading} onMore={pages.more} />
      {asked !== undefined && (
        <ConfirmDialog
          title={operatorTexts.sendAgainTitle}
          text={operatorTexts.sendAgainText}
          action={operatorTexts.sendAgain}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            await admin.operations.retry({ delivery: asked.deliveryId });
            showToast(operatorTexts.wasQueued);
            pages.reload();
          }}
        />
      )}
    </section>
  );
}
