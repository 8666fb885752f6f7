import { isObject } from '../../shared/json.ts';
import type { DocumentNode, OpenApiDocument } from './walk.ts';

/** Removes `default` from the schemas of bodies, because client generators make fields with a default required. */
export function withoutDefaults(document: OpenApiDocument): void {
  for (const schema of Object.values(document.components?.schemas ?? {})) visit(schema, (node) => delete node.default);
}

/** Calls `act` for a schema and all schemas in it. */
function visit(value: unknown, act: (node: DocumentNode) => void): void {
  if (Array.isArray(value)) for (const entry of value) visit(entry, act);
  if (!isObject(value)) return;
  act(value);
  for (const entry of Object.values(value)) visit(entry, act);
}
