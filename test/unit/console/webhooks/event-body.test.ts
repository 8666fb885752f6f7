import { describe, expect, test } from 'vitest';
import { documentOf, prettyJson } from '../../../../src/console/webhooks/event-body.ts';

describe('the body of an event', () => {
  const id = `doc_${'0'.repeat(26)}`;

  test('is JSON with a line for each value, or else the unchanged text', () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson('<html>')).toBe('<html>');
  });

  test('identifies its document, even if a text value imitates another', () => {
    expect(documentOf(JSON.stringify({ type: 'document.failed', data: { id, status: 'failed' } }))).toBe(id);
    expect(documentOf(JSON.stringify({ data: { filename: `"id":"${id}"` } }))).toBeUndefined();
    expect(documentOf('not json')).toBeUndefined();
  });
});
