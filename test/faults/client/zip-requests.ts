import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const maxOutputBytes = 64 * 1024 * 1024;

const reader = `
import hashlib, io, re, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as bundle:
    for entry in bundle.infolist():
        if not entry.filename.endswith('.docx'):
            continue
        content = bundle.read(entry)
        with zipfile.ZipFile(io.BytesIO(content)) as document:
            text = re.sub('<[^>]+>', '', document.read('word/document.xml').decode())
        print(hashlib.sha256(content).hexdigest(), len(content), entry.filename, re.search(r'(canary[0-9a-f]+).*Order (.*)$', text).groups())
`;

export interface BundledDocument {
  readonly filename: string;
  readonly canary: string;
  readonly order: string;
  /** SHA-256 of the document, hex. */
  readonly checksum: string;
  readonly sizeBytes: number;
}

/** Reads the documents of a zip bundle in order, with Python's zip reader. */
export async function readBundle(zip: Uint8Array, folder: string): Promise<BundledDocument[]> {
  const file = join(folder, 'bundle.zip');
  writeFileSync(file, zip);
  const { stdout } = await execute('python3', ['-c', reader, file], { maxBuffer: maxOutputBytes });
  rmSync(file);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [, checksum = '', size, filename = '', canary = '', order = ''] =
        /^(\w+) (\d+) (.+?) \('(.+?)', '(.+?)'\)$/.exec(line) ?? [];
      return { filename, canary, order, checksum, sizeBytes: Number(size) };
    });
}
