import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import PizZip from 'pizzip';

const execute = promisify(execFile);

/** The text of a part of a .docx, one line per paragraph, including those in table cells. */
export function docxText(file: Uint8Array, part = 'word/document.xml'): string {
  return partOf(file, part)
    .split('</w:p>')
    .slice(0, -1)
    .map((paragraph) =>
      [...paragraph.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>|<w:(br|tab)\/>/g)]
        .map(([, text, mark]) => (mark === 'br' ? '\v' : mark === 'tab' ? '\t' : unescapeXml(text ?? '')))
        .join(''),
    )
    .join('\n');
}

/** The XML of a part of a .docx. */
export function partOf(file: Uint8Array, part = 'word/document.xml'): string {
  const xml = new PizZip(Buffer.from(file)).file(part)?.asText();
  if (xml === undefined) throw new Error(`the document has no ${part}`);
  return xml;
}

/** The text of a PDF in its layout, with form feeds between pages. */
export async function pdfText(file: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docmill-pdf-'));
  try {
    await writeFile(join(folder, 'in.pdf'), file);
    const { stdout } = await execute('pdftotext', ['-layout', '-enc', 'UTF-8', join(folder, 'in.pdf'), '-']);
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
