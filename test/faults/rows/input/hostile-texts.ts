import { docxText } from '../../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { expect, expectEqual } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const list = (text: string): readonly string[] => text.split('¦');

/** Strings that break programs, a few of each class of the "big list of naughty strings". */
const texts: readonly string[] = [
  // Values and numbers of other languages.
  ...list('undefined¦null¦None¦NaN¦hasOwnProperty¦__proto__¦constructor¦-0¦1E+02¦0x0¦1,000.00¦٠١٢¦½¦1e999'),
  // Letters of other scripts, combining marks, emoji.
  ...list('田中さんにあげて下さい¦𠜎𠜱𠝹𠱓¦هُنَاكَ¦בְּרֵאשִׁית¦ภาษาไทย¦नमस्ते¦Ṱ̺̺̕o͞¦ﷺ¦ﬁ ß İi ıI¦👩🏽¦👨‍👩‍👧‍👦¦🏳️‍🌈¦0️⃣¦𝐓𝐡𝐞'),
  // Spaces, invisible characters and direction marks.
  ...list(
    'a\u00a0b¦a\u200bb¦a\u200db¦\ufeff¦a\u2028b¦a\u2029b¦a\u00adb¦   ¦ a  b ¦\u202etest\u202c¦\u2066test\u2069¦\u{f0000}',
  ),
  // Controls, line ends, lone surrogates and noncharacters.
  ...list('a\tb¦a\nb¦a\r\nb¦a\rb¦a\u000bb¦a\u0085b¦a\u0000b¦a\u001bb¦a\u007fb¦\ud83d¦a\ude00b¦\ufffe¦\uffff¦\u{1fffe}'),
  // Injections.
  ...list(
    '<script>alert(1)</script>¦<w:t>x</w:t>¦]]>¦<!--¦&lt;b&gt;¦&#0;¦<?xml version="1.0"?>¦%¦_¦\\%¦$1¦{x}¦{#x}{/x}',
  ),
  ...list(
    "1'; drop table templates; --¦' or 1=1 -- 1¦$(touch x)¦%s%n%x¦../../etc/passwd¦C:\\x¦CON¦..¦a/b¦a:b¦a\"b¦trailing.",
  ),
  ...['a\r\nBcc: eve@sink.test', '=1+1', 'x'.repeat(400), '😀'.repeat(120), `a${'\u0301'.repeat(300)}`],
];

/** Characters that XML 1.0 excludes, except lone surrogates. */
function isExcluded(char: string): boolean {
  return (char < ' ' && !'\t\n\r'.includes(char)) || char === '\ufffe' || char === '\uffff';
}

export const hostileTextRows: readonly Row[] = [
  {
    id: 'A7',
    title: `${texts.length} naughty strings`,
    story:
      'As data and as name of a template: each is returned unchanged or in its documented form, or refused with a code',
    async run(h) {
      await h.start();
      const template = buildDocx({ body: paragraph('{canary} {order}') + paragraph('[{text}]') });
      const { client, templateId } = await h.owner(template, { credits: 10_000 });
      let name = 'letter.docx';
      for (const text of texts) {
        const shown = JSON.stringify(text).slice(0, 60);
        const answer = await client.generate({ templateId, data: { text } });
        const isPrintable = ![...text].some(isExcluded);
        expectEqual(answer.headers.get('Error-Code'), isPrintable ? null : 'data_invalid', `${shown} in the data`);
        // Each line end is one line break, a lone surrogate is U+FFFD.
        const printed = `[${text.toWellFormed().replace(/\r\n|\r|\n/g, '\v')}]`;
        if (isPrintable) expectEqual(docxText(answer.body).split('\n')[1], printed, 'the text in the document');

        const headers = { 'Content-Type': 'application/json' };
        const body = JSON.stringify({ name: `${text}.docx` });
        const renamed = await client.call('PUT', `/v1/templates/${templateId}`, { body, headers });
        if (renamed.status === 200) name = `${text}.docx`;
        else expectEqual(renamed.headers.get('Error-Code'), 'invalid_request', `the name ${shown}`);
        const listed = await client.call('GET', `/v1/templates?name=${encodeURIComponent(name.slice(0, 40))}`);
        expectEqual(listed.status, 200, `listing ${shown}`);
        const [found] = JSON.parse(listed.body.toString()) as { name: string }[];
        expect(found?.name === name, `the name of the template is ${found?.name} after ${shown}`);
      }
    },
  },
];
