import type { Document } from '../harness/documents.ts';
import { projectFolder } from '../harness/machine.ts';
import { docxTemplatesDialect } from './docx-templates.ts';
import { easyTemplateXDialect, withOpposites } from './easy-template-x.ts';
import { carboneDialect, translate } from './translate.ts';

type Rendering = typeof import('../../src/worker/docx/render-template.ts');

export const engineNames = [
  'own, warm',
  'own, cold',
  'docxtemplater + pizzip',
  'carbone',
  'easy-template-x',
  'docx-templates',
] as const;
export type EngineName = (typeof engineNames)[number];

/** Fills the document once. A warm engine has already parsed the template; a cold one starts from its bytes. */
export type Engine = () => Promise<Uint8Array> | Uint8Array;

/** Prepares the template, the data and the engine for the first document. */
export async function openEngine(name: EngineName, document: Document, folder: string): Promise<Engine> {
  const { template, data } = document;
  switch (name) {
    case 'own, warm':
    case 'own, cold':
      return openOwn(template, Buffer.from(JSON.stringify(data)), name === 'own, warm');
    case 'docxtemplater + pizzip': {
      const { renderPlain } = await import('./docxtemplater.ts');
      return () => renderPlain(template, data);
    }
    case 'carbone': {
      const { writeFile } = await import('node:fs/promises');
      const { openCarbone } = await import('./carbone.ts');
      const path = `${folder}/${document.example}-${document.rows}.docx`;
      await writeFile(path, translate(template, data, carboneDialect));
      const engine = await openCarbone('docx', 1, folder);
      return () => engine.render(path, data);
    }
    case 'easy-template-x': {
      const { openEasyTemplateX } = await import('./easy-template-x.ts');
      const [translated, render] = [translate(template, data, easyTemplateXDialect), openEasyTemplateX()];
      const withNot = withOpposites(data);
      return () => render(translated, withNot);
    }
    case 'docx-templates': {
      const { openDocxTemplates } = await import('./docx-templates.ts');
      const [translated, render] = [translate(template, data, docxTemplatesDialect), openDocxTemplates()];
      return () => render(translated, data);
    }
  }
}

/** The renderer of the production build, in this process. */
async function openOwn(template: Buffer, data: Buffer, isWarm: boolean): Promise<Engine> {
  const module = `${projectFolder}/dist/worker/docx/render-template.js`;
  const { prepareTemplate, renderTemplate } = (await import(module)) as Rendering;
  const prepared = prepareTemplate(template, 'docx');
  return () => renderTemplate(isWarm ? prepared : prepareTemplate(template, 'docx'), data).file;
}
