import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findPrograms } from '../../src/worker/pdf/office/programs.ts';
import { requireContender } from './packages.ts';

type Callback = (error: unknown, file: Buffer) => void;

interface CarboneModule {
  set(options: { factories: number; startFactory: boolean; tempPath: string }): void;
  render(path: string, data: unknown, options: { convertTo?: string }, callback: Callback): void;
  convert(file: Buffer, options: { convertTo: string; extension: string }, callback: Callback): void;
}

export interface CarboneEngine {
  /** Fills a template written in carbone's language. carbone reads the file `path` each time. */
  render(path: string, data: unknown): Promise<Buffer>;
  /** Converts a .docx to PDF; requires an engine opened for `pdf`. */
  convert(docx: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Opens the npm package carbone in this process. `factories` is its number of LibreOffice processes, which start only
 * for `pdf`.
 */
export async function openCarbone(format: 'docx' | 'pdf', factories: number, folder: string): Promise<CarboneEngine> {
  await mkdir(folder, { recursive: true });
  if (format === 'pdf') {
    // carbone only searches PATH for soffice.bin and python3, and accepts a python3 that lacks uno.
    const { python, soffice } = await findPrograms({});
    Object.assign(process.env, { PATH: [dirname(soffice), dirname(python), '/usr/bin', '/bin'].join(':') });
  }
  const engine = requireContender('carbone') as CarboneModule;
  engine.set({ factories, startFactory: format === 'pdf', tempPath: folder });
  const { exit } = requireContender('carbone/lib/converter') as { exit(done: () => void): void };
  const call = (start: (callback: Callback) => void): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      start((error, file) => (error ? reject(new Error(`carbone: ${String(error)}`)) : resolve(file)));
    });
  return {
    async render(path, data) {
      const file = await call((done) => engine.render(path, data, format === 'pdf' ? { convertTo: 'pdf' } : {}, done));
      return format === 'pdf' ? checkedPdf(file) : file;
    },
    convert: async (docx) =>
      checkedPdf(await call((done) => engine.convert(docx, { convertTo: 'pdf', extension: 'docx' }, done))),
    close: () => (format === 'pdf' ? new Promise((resolve) => exit(resolve)) : Promise.resolve()),
  };
}

function checkedPdf(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 5) !== '%PDF-') throw new Error('carbone did not produce a PDF');
  return file;
}
