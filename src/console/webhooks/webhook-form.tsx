import { ApiError, type components } from '@docmill/client';
import { useState } from 'preact/hooks';
import { shellTexts } from '../texts/shell.ts';
import { webhookTexts } from '../texts/webhooks.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';

type Schemas = components['schemas'];
type EventType = Schemas['EventType'];

interface WebhookFormProps {
  readonly title: string;
  readonly webhook?: Schemas['Webhook'];
  readonly onSave: (fields: Schemas['WebhookRequest']) => Promise<void>;
  readonly onClose: () => void;
}

const allEvents = Object.keys(webhookTexts.eventNames) as readonly EventType[];
const firstEvents: readonly EventType[] = ['document.succeeded', 'document.failed'];

/** Asks for the address, events and description; the service's errors are shown next to their fields. */
export function WebhookForm({ title, webhook, onSave, onClose }: WebhookFormProps) {
  const [events, setEvents] = useState<readonly EventType[]>(webhook?.events ?? firstEvents);
  const { run, isBusy, error } = useAction(async (form: FormData) => {
    const description = String(form.get('description')).trim();
    const url = String(form.get('url')).trim();
    await onSave({ url, events: [...events], ...(description !== '' && { description }) });
  });
  const choose = (type: EventType, isChosen: boolean): void =>
    setEvents((before) => (isChosen ? [...before, type] : before.filter((one) => one !== type)));
  const fieldErrors = fieldErrorsOf(error);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          run(new FormData(event.currentTarget));
        }}
      >
        <Field label={webhookTexts.url} hint={webhookTexts.urlHint} error={fieldErrors.get('url')}>
          {(attributes) => (
            <input type="url" name="url" required defaultValue={webhook?.url} autocomplete="off" {...attributes} />
          )}
        </Field>
        <fieldset class="choices">
          <legend>{webhookTexts.events}</legend>
          {allEvents.map((type) => (
            <label key={type} class="check">
              <input
                type="checkbox"
                checked={events.includes(type)}
                onChange={({ currentTarget }) => choose(type, currentTarget.checked)}
              />
              <span>
                {webhookTexts.eventNames[type]} <code class="muted">{type}</code>
              </span>
            </label>
          ))}
          {events.length === 0 && <p class="field-error">{webhookTexts.noEvent}</p>}
        </fieldset>
        <Field
          label={webhookTexts.description}
          hint={webhookTexts.descriptionHint}
          error={fieldErrors.get('description')}
        >
          {(attributes) => (
            <input name="description" maxLength={500} defaultValue={webhook?.description} {...attributes} />
          )}
        </Field>
        {error !== undefined && fieldErrors.size === 0 && <ErrorNote error={error} />}
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button variant="primary" type="submit" isBusy={isBusy} disabled={events.length === 0}>
            {webhookTexts.save}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The service's errors by field name. */
function fieldErrorsOf(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ApiError)) return new Map();
  return new Map(error.details.flatMap(({ path, message }) => (path === undefined ? [] : [[path, message] as const])));
}
