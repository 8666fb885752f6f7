import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { findPrograms } from '../../src/worker/pdf/office/programs.ts';

interface CarboneModule {
  set(options: { factories: number; startFactory: boolean; tempPath: string }): void;
  render(
    path: string,
    data: unknown,
    options: { convertTo?: string },
    callback: (error: unknown, file: Buffer) => void,
  ): void;
}

export interface CarboneEngine {
  /** Fills a template in carbone's own language; a file path, which carbone reads each time. */
  render(path: string, data: unknown): Promise<Buffer>;
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);

/** The npm package carbone in this process. `factories` are its LibreOffice processes, needed for `pdf` alone. */
export async function openCarbone(format: 'docx' | 'pdf', factories: number, folder: string): Promise<CarboneEngine> {
  if (format === 'pdf') {
    // carbone looks for soffice.bin and python3 on the path only, and takes a python3 without uno too.
    const { python, soffice } = await findPrograms({});
    Object.assign(process.env, { PATH: [dirname(soffice), dirname(python), '/usr/bin', '/bin'].join(':') });
  }
  const engine = require('carbone') as CarboneModule;
  engine.set({ factories, startFactory: format === 'pdf', tempPath: folder });
  const options = format === 'pdf' ? { convertTo: 'pdf' } : {};
  const { exit } = require('carbone/lib/converter') as { exit(done: () => void): void };
  return {
    render: (path, data) =>
      new Promise((resolve, reject) => {
        engine.render(path, data, options, (error, file) => {
          if (error) reject(new Error(`carbone: ${String(error)}`));
          else resolve(file);
        });
      }),
    close: () => (format === 'pdf' ? new Promise((resolve) => exit(resolve)) : Promise.resolve()),
  };
}
