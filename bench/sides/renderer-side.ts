import { projectFolder } from '../harness/machine.ts';
import { serveSide } from '../harness/serve-side.ts';

type Rendering = typeof import('../../src/worker/docx/render/render-template.ts');

export interface RendererSetup {
  readonly template: Uint8Array;
  readonly data: unknown;
  readonly target: 'docx' | 'pdf';
}

/** The service's own renderer from the production build, warm, without pool, queue or service around it. */
serveSide<RendererSetup>(async ({ template, data, target }) => {
  const module = `${projectFolder}/dist/worker/docx/render/render-template.js`;
  const { prepareTemplate, renderTemplate } = (await import(module)) as Rendering;
  const prepared = prepareTemplate(Buffer.from(template), target);
  const bytes = Buffer.from(JSON.stringify(data));
  return { make: () => renderTemplate(prepared, bytes).file.length };
});
