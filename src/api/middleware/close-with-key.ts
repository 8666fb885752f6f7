import type { Context } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import { onResponseFinished } from '../http/open-responses.ts';
import type { Credential } from './credential.ts';

/** The same for all requests, most of which have ended by then, so that the timers share one list. */
const firstCheckMs = 1_000;

/**
 * Closes the connection of an admitted request whose key or session stops being valid while its body still arrives or the response
 * to a GET is still sent: a slow upload, an event stream, a download. A request that has arrived completely is carried
 * out, and the response to a POST is sent whole, because the document is already charged.
 */
export function closeWithKey(c: Context<ApiEnv>, credential: Credential): void {
  // The application is also called without a server, and then nothing stays open.
  if (c.env?.outgoing === undefined) return;
  const { incoming, outgoing } = c.env;
  let timer: NodeJS.Timeout | undefined;
  let isFinished = false;
  const mayClose = (): boolean => !incoming.complete || (incoming.method === 'GET' && outgoing.headersSent);
  const check = async (): Promise<void> => {
    // While the database cannot be read, an admitted request stays open.
    const isValid = await credential.find().then(
      (holder) => holder?.isSuspended === false,
      () => true,
    );
    if (isFinished) return;
    if (isValid || !mayClose()) return schedule(credential.recheckMs());
    c.get('logger').info(
      { keyId: c.get('keyId') },
      'a connection was closed because its key or session is no longer valid',
    );
    outgoing.destroy();
  };
  const schedule = (ms: number): void => {
    timer = setTimeout(() => void check(), ms).unref();
  };
  schedule(firstCheckMs);
  onResponseFinished(c.env, () => {
    isFinished = true;
    clearTimeout(timer);
  });
}
