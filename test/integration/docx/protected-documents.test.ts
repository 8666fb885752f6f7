import { expect, test } from 'vitest';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { render } from '../../unit/docx/render/fill.ts';
import { textOf } from '../pdf/office/office-fixture.ts';
import { useOffice } from '../pdf/office/pool-for-test.ts';

const office = useOffice();

test.each(['readOnly', 'recommended'] as const)('LibreOffice opens a document of mode %s', async (mode) => {
  const docx = { comments: 'remove', protection: { mode, password: 'Example' } } as const;
  const { file } = render(buildDocx({ body: paragraph('Dear {name}') }), { name: 'Ada' }, { docx });
  const { pdf } = await office.pool.convert({ docx: file, filename: 'a.pdf', localDate: '2026-03-31T00:00:00' });
  expect(await textOf(pdf)).toContain('Dear Ada');
});
