import { expect, it } from 'vitest';
import { type ManifestEntry, manifestCsv, manifestJson } from '../../../src/shared/domain/batches/manifest.ts';

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

async function* entriesOf(...files: string[]): AsyncGenerator<ManifestEntry> {
  for (const [index, file] of files.entries()) yield { row: index, file, status: 'succeeded', jobId: `doc_${index}` };
}

it.each(['=1+1.docx', '+1.docx', '-1.docx', '@SUM(A1).docx', '\tx.docx', '＝1.docx'])(
  'a spreadsheet reads the file name %j as text instead of a formula',
  async (file) => {
    expect(await textOf(manifestCsv(entriesOf(file)))).toContain(`\r\n0,'${file},succeeded,`);
    expect(JSON.parse(await textOf(manifestJson(entriesOf(file))))).toMatchObject([{ file }]);
  },
);

it('a file name with quotes is quoted after it is made safe', async () => {
  expect(await textOf(manifestCsv(entriesOf('=HYPERLINK("http://x","y").docx')))).toContain(
    `\r\n0,"'=HYPERLINK(""http://x"",""y"").docx",succeeded,`,
  );
});

it('names that contain such characters elsewhere stay unchanged', async () => {
  expect(await textOf(manifestCsv(entriesOf('a=b-c@d.docx')))).toContain('\r\n0,a=b-c@d.docx,succeeded,');
});
