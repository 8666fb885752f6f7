import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Session } from './session.ts';

/** The number of pages that can be open at a time; each holds one connection. */
const maxStreams = 50;
/** A page that stops reading is disconnected; it reconnects automatically. */
const maxUnreadBytes = 4 * 1024 * 1024;
const heartbeatMs = 15_000;

interface Streams {
  readonly add: (
    response: ServerResponse,
    selection: { readonly template: string; readonly name: string },
    headers: OutgoingHttpHeaders,
  ) => void;
  readonly close: () => void;
}

/** Sends the catalog and the case to each open page as server-sent events. */
export function streamEvents(session: Session): Streams {
  const open = new Set<ServerResponse>();
  return {
    add(response, selection, headers) {
      if (open.size >= maxStreams) {
        response.writeHead(503, { ...headers, 'Content-Length': 0 }).end();
        return;
      }
      response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
      const write = (text: string) => {
        // The stream has ended, but its connection is still closing.
        if (response.writableEnded) return;
        if (response.writableLength > maxUnreadBytes) response.destroy();
        else response.write(text);
      };
      const event = (name: string) => (value: unknown) => write(`event: ${name}\ndata: ${JSON.stringify(value)}\n\n`);
      // Tells the page to reconnect soon after a disconnection.
      write('retry: 1000\n\n');
      const unsubscribe = session.subscribe(selection, { catalog: event('catalog'), state: event('case') });
      const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs);
      open.add(response);
      response.once('close', () => {
        clearInterval(heartbeat);
        open.delete(response);
        unsubscribe();
      });
    },
    close() {
      for (const response of open) response.end();
    },
  };
}
