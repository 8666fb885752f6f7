import { oneLine } from './one-line.ts';

export function defaultSubject(filename: string): string {
  return `Your document: ${oneLine(filename)}`;
}

export function defaultBody(filename: string): string {
  return `Hello,

the document "${oneLine(filename)}" has been prepared for you. It is attached to this message.

Kind regards
`;
}
