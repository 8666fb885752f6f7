import { PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

interface SharedWorker {
  readonly pdfWorker: PDFWorker;
  readonly stop: () => void;
}

let shared: SharedWorker | undefined;

/** The worker that reads PDFs. A page has one, which starts with the first PDF and restarts after a crash. */
export function sharedPdfWorker(): PDFWorker {
  shared ??= startWorker();
  return shared.pdfWorker;
}

/** Terminates the worker and every PDF in it. The next PDF starts a new one. */
export function stopPdfWorker(): void {
  shared?.stop();
  shared = undefined;
}

function startWorker(): SharedWorker {
  const { worker, release } = openWorker(new URL(workerUrl, import.meta.url));
  const pdfWorker = PDFWorker.create({ port: worker, verbosity: 0 } as Parameters<typeof PDFWorker.create>[0]);
  const own = {
    pdfWorker,
    stop: () => {
      pdfWorker.destroy();
      worker.terminate();
      release();
    },
  };
  worker.addEventListener('error', () => {
    if (shared === own) stopPdfWorker();
  });
  return own;
}

/**
 * A page of another origin may only start workers from its own scripts, so there a small one imports the service's
 * script.
 */
function openWorker(script: URL): { worker: Worker; release: () => void } {
  if (script.origin === location.origin) {
    return { worker: new Worker(trusted(script.href), { type: 'module' }), release: () => undefined };
  }
  const source = new Blob([`import ${JSON.stringify(script.href)};`], { type: 'text/javascript' });
  const address = URL.createObjectURL(source);
  return { worker: new Worker(trusted(address), { type: 'module' }), release: () => URL.revokeObjectURL(address) };
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string };
}

let policy: { createScriptURL(address: string): string } | undefined;

/** The Trusted Types policy `docmill`, with which the Content-Security-Policy allows only this script as a worker. */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return address;
  const folder = new URL('.', new URL(workerUrl, import.meta.url)).href;
  policy ??= trustedTypes.createPolicy('docmill', {
    createScriptURL: (wanted) => {
      if (wanted.startsWith(folder) || wanted.startsWith(`blob:${location.origin}/`)) return wanted;
      throw new TypeError('Only scripts of this service may be workers.');
    },
  });
  return policy.createScriptURL(address);
}
