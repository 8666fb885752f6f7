import type { Texts } from './texts/en.ts';
import { paragraph, table, textWidth } from './word.ts';

const space = 567;

/** Lines to sign on, beside each other, which stay on one page. */
export function signatures(
  texts: Texts,
  labels: readonly [string, string],
  width = textWidth,
  align?: 'center',
): string {
  const column = Math.floor((width - space) / 2);
  const [left, right] = labels.map((label) =>
    label
      .split('\n')
      .map((line, at) => paragraph(at === 0 ? 'Signature' : 'Small', line, align === undefined ? {} : { align }))
      .join(''),
  );
  const cells = [left ?? '', paragraph('Small', ''), right ?? ''];
  return (
    table('Columns', [{ width: column }, { width: space }, { width: column }], texts.signaturesCaption, [{ cells }]) +
    paragraph('Gap', '')
  );
}
