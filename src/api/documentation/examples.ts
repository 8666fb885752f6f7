import { isObject } from '../../shared/json.ts';
import { exampleErrors } from './example-errors.ts';
import { binaryExamples, requestExamples, resourceExamples, textExamples } from './example-values.ts';
import {
  componentName,
  contentsOf,
  type DescribedOperation,
  type DocumentNode,
  type OpenApiDocument,
  operationsOf,
} from './walk.ts';

/** Adds an example to every request and every response. Throws when one has no example. */
export function addExamples(document: OpenApiDocument): void {
  const components: DocumentNode = { ...document.components?.schemas };
  for (const operation of operationsOf(document)) {
    for (const [type, content] of contentsOf(operation.requestBody)) {
      content.example = exampleOfRequest(operation, type, content);
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      for (const [type, content] of contentsOf(response)) {
        content.example = exampleOfResponse(operation, status, type, content, components);
      }
    }
  }
}

function exampleOfRequest({ operationId }: DescribedOperation, type: string, { schema }: DocumentNode): unknown {
  return known(
    textExamples[type] ?? requestExamples[componentName(schema) ?? ''],
    `the request of ${operationId}`,
    type,
  );
}

function exampleOfResponse(
  { operationId }: DescribedOperation,
  status: string,
  type: string,
  { schema }: DocumentNode,
  components: DocumentNode,
): unknown {
  const what = `${status} of ${operationId}`;
  if (Number(status) >= 400) return known(exampleErrors(operationId)[status], what, type);
  if (type !== 'application/json') return known(binaryExamples[type], what, type);
  const name = componentName(schema) ?? '';
  const special = resourceExamples[`${operationId} ${status}`] ?? resourceExamples[name];
  if (special !== undefined) return special;
  // The example of a list has one entry.
  const list = components[name];
  return [known(resourceExamples[componentName(isObject(list) ? list.items : undefined) ?? ''], what, type)];
}

function known(example: unknown, what: string, type: string): unknown {
  if (example === undefined) throw new Error(`${what} has no example as ${type}`);
  return example;
}
