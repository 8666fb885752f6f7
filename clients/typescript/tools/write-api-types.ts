import openapiTypescript, { astToString } from 'openapi-typescript';

/** The types of the OpenAPI document's schemas, as the text of `src/generated-api.ts`. */
export async function writeApiTypes(document: {
  readonly components?: { readonly schemas?: object };
}): Promise<string> {
  // The client's functions replace the paths, whose types would be twenty times as long.
  const schemasOnly = {
    openapi: '3.1.0',
    info: { title: 'Docmill', version: '1' },
    paths: {},
    components: { schemas: document.components?.schemas ?? {} },
  };
  const nodes = await openapiTypescript(JSON.stringify(schemasOnly), { immutable: true, emptyObjectsUnknown: true });
  const text = astToString(nodes).replace(/[\s\S]*?(?=export interface components)/, '');
  return `/** Made from the OpenAPI document: \`npm run generate\` writes it. */\n${text.replace(/export type \$defs[\s\S]*$/, '')}`;
}
