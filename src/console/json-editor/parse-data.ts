import { jsonEditorTexts } from '../texts/json-editor.ts';
import { isObject } from './is-object.ts';

export type ParsedData =
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly problem: string; readonly offset: number };

/** Parses the text of the data, which must be an object. Error offsets count characters from 0. */
export function parseData(text: string): ParsedData {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    const place = /at position (\d+)/.exec(message)?.[1];
    // An error without a position means that the text ends too early.
    const offset = Math.min(place === undefined ? text.length : Number(place), text.length);
    const reason = message.replace(/,? ?(".*" is not valid JSON|(in JSON )?at position \d+.*)$/s, '').trim();
    return { problem: jsonEditorTexts.invalid(reason), offset };
  }
  if (isObject(value)) return { value };
  return { problem: jsonEditorTexts.notObject, offset: 0 };
}

interface ExactJson {
  rawJSON(text: string): unknown;
}

/** The data to send: numbers keep the digits of the text where the browser supports it. */
export function parseExactly(text: string): Readonly<Record<string, unknown>> {
  const exact = 'rawJSON' in JSON ? (JSON as unknown as ExactJson) : undefined;
  const keepDigits = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const source = context?.source;
    const isRounded = typeof value === 'number' && source !== undefined && String(value) !== source;
    return isRounded ? (exact?.rawJSON(source) ?? value) : value;
  };
  const value: unknown = JSON.parse(text, exact && (keepDigits as Parameters<typeof JSON.parse>[1]));
  if (!isObject(value)) throw new TypeError(jsonEditorTexts.notObject);
  return value;
}
