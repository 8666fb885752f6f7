import { expect, test } from 'vitest';
import { templateName } from '../../../../../src/api/routes/templates/template-resource.ts';
import { checkTemplateFile } from '../../../../../src/console/templates/check-template-file.ts';
import { templateNameOf, withEnding } from '../../../../../src/console/templates/dialogs/template-name.ts';

test.each([
  ['Invoice.docx', 'Invoice.docx'],
  ['Invoice.DOCX', 'Invoice.docx'],
  ['a/b\\c.docx', 'a b c.docx'],
  ['tab\tand\u0000null.docx', 'tab and null.docx'],
  ['\u202egpj.docx', 'gpj.docx'],
  ['\ud800.docx', '\ufffd.docx'],
  ['.docx', 'template.docx'],
  ['Letter.dotm', 'Letter.docx'],
  ['<img src=x onerror=alert(1)>.docx', '<img src=x onerror=alert(1)>.docx'],
  [`${'😀'.repeat(300)}.docx`, `${'😀'.repeat(195)}.docx`],
])('the file %j gets a name that the service accepts', (file, name) => {
  expect(templateNameOf(file)).toBe(name);
  expect(templateName.safeParse(name).error).toBeUndefined();
});

test('the extension is optional', () => {
  expect(withEnding(' Invoice ')).toBe('Invoice.docx');
  expect(withEnding('Invoice.Docx')).toBe('Invoice.Docx');
  expect(withEnding('.docx')).toBe('.docx.docx');
  expect(withEnding('  ')).toBe('');
});

test('a file of another type or beyond the limit is refused before it is sent', () => {
  expect(checkTemplateFile({ name: 'a.docx', size: 10 * 1024 * 1024 })).toBeUndefined();
  expect(checkTemplateFile({ name: 'a.docx', size: 10 * 1024 * 1024 + 1 })).toContain('10 MB');
  expect(checkTemplateFile({ name: 'a.dotx', size: 1 })).toBeUndefined();
  expect(checkTemplateFile({ name: 'a.doc', size: 1 })).toContain('.docx');
});
