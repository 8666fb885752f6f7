import { serviceUrl } from '../session/addresses.ts';
import { webhookTexts } from '../texts/webhooks.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Shows a secret once. It is never in an address or the browser's storage. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title={webhookTexts.secretTitle} onClose={onClose}>
      <p>{webhookTexts.secretText}</p>
      <p class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </p>
      <p class="small">
        <a href={`${serviceUrl}/guide/guides/webhooks.html`}>{webhookTexts.secretGuide}</a>
      </p>
      <footer>
        <Button variant="primary" onClick={onClose}>
          {webhookTexts.secretDone}
        </Button>
      </footer>
    </Dialog>
  );
}
