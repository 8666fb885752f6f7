import { Docmill } from '@docmill/client';
import { useEffect, useState } from 'preact/hooks';
import { playgroundTexts } from '../texts/playground.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { loadTemplate, type PlaygroundTemplate } from './load-template.ts';
import { Playground } from './playground.tsx';

interface EmbeddedPlaygroundProps {
  readonly templateId: string;
  readonly version: number | undefined;
  readonly serviceUrl: string;
  readonly apiKey: string | (() => string | Promise<string>) | undefined;
  readonly onGenerated: (document: { readonly id: string; readonly filename: string }) => void;
  readonly onError: (error: unknown) => void;
}

interface Opened {
  readonly docmill: Docmill;
  readonly template: PlaygroundTemplate;
}

/** A playground in a page of another application, which supplies the key. */
export function EmbeddedPlayground(props: EmbeddedPlaygroundProps) {
  const { templateId, version, serviceUrl, apiKey, onGenerated, onError } = props;
  const [opened, setOpened] = useState<Opened>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    setOpened(undefined);
    setError(undefined);
    if (templateId === '' || apiKey === undefined) return;
    const controller = new AbortController();
    const open = async (): Promise<Opened> => {
      const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
      const docmill = new Docmill({ apiKey: key, baseUrl: serviceUrl });
      return { docmill, template: await loadTemplate(docmill, templateId, version, controller.signal) };
    };
    open().then(
      (value) => controller.signal.aborted || setOpened(value),
      (failure: unknown) => {
        if (controller.signal.aborted) return;
        setError(failure);
        onError(failure);
      },
    );
    return () => controller.abort();
  }, [templateId, version, serviceUrl, apiKey]);
  if (error !== undefined) return <ErrorNote error={error} />;
  if (templateId === '') return <ErrorNote error={new Error(playgroundTexts.noTemplate)} />;
  if (opened === undefined) return <Skeleton lines={10} />;
  return (
    <>
      <Playground {...opened} serviceUrl={serviceUrl} onGenerated={onGenerated} onError={onError} />
      <Toasts />
    </>
  );
}
