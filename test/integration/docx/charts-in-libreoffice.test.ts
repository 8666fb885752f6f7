import { expect, it } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { chartFiles } from '../../../tools/examples/charts/chart.ts';
import { pdfText } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { useLibreOffice } from './use-libreoffice.ts';

const toPdf = await useLibreOffice();

it('a PDF has a chart for each item of a list', async () => {
  const cells = [
    [' ', 'Sales {region}'],
    ['{#months}{name}', '{sales}{/months}'],
  ];
  const chart = chartFiles({ kind: 'bar', cells, title: 'About {region}', heightMm: 60 });
  const template = buildDocx({
    body: `${paragraph('{#regions}')}<w:p>${chart.run}</w:p>${paragraph('{/regions}')}`,
    parts: chart.parts,
    contentTypes: chart.contentTypes,
    rels: [chart.relationship],
  });
  const regions = [
    { region: 'North', months: [{ name: 'January', sales: 5 }] },
    {
      region: 'South',
      months: [
        { name: 'March', sales: 7 },
        { name: 'April', sales: 9 },
      ],
    },
  ];
  const { file } = renderTemplate(prepareTemplate(template, 'pdf'), Buffer.from(JSON.stringify({ regions })));
  const words = (await pdfText(await toPdf(file))).replace(/\s+/g, ' ');
  expect(words).toMatch(/About North.*January.*About South.*March.*April/);
  expect(words).not.toMatch(/[{}]/);
});
