import type { OpenAPIHono } from '@hono/zod-openapi';
import { isObject } from '../../shared/json.ts';

/** The OpenAPI 3.1 document, as JSON. */
export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

/** An object of the document. Not readonly, because the document is completed in place. */
export type DocumentNode = Record<string, unknown>;

export interface DescribedOperation {
  readonly operationId: string;
  readonly requestBody: DocumentNode | undefined;
  readonly responses: DocumentNode;
}

/** The operations of a document; changing their objects changes the document. */
export function operationsOf({ paths = {} }: OpenApiDocument): DescribedOperation[] {
  return Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((operation: unknown) => {
      if (!isObject(operation) || !isObject(operation.responses)) return [];
      const { operationId, requestBody, responses } = operation;
      return [
        { operationId: String(operationId), requestBody: isObject(requestBody) ? requestBody : undefined, responses },
      ];
    }),
  );
}

/** The media types of a request body or a response, each with its schema. */
export function contentsOf(holder: unknown): [type: string, content: DocumentNode][] {
  if (!isObject(holder) || !isObject(holder.content)) return [];
  return Object.entries(holder.content).filter((entry): entry is [string, DocumentNode] => isObject(entry[1]));
}

/** The name of the component that a schema refers to. */
export function componentName(schema: unknown): string | undefined {
  const ref = isObject(schema) ? schema.$ref : undefined;
  return typeof ref === 'string' ? ref.split('/').at(-1) : undefined;
}
