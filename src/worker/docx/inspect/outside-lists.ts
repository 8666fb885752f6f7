import type { Delimiters } from '../../../shared/template-syntax.ts';
import type { ScannedPart } from '../core/compile/scan-template.ts';
import { askedBy, type PartNodes } from '../core/nodes.ts';
import type { Warning } from '../core/warning.ts';
import { isLoopHelper } from '../language/parse-path.ts';

const maxWarnings = 50;

/** Warnings about tags that read the position in a list, such as `{$number}`, outside all sections. */
export function outsideLists(
  scanned: readonly ScannedPart[],
  parts: readonly PartNodes[],
  { open, close }: Delimiters,
): Warning[] {
  const found = new Map<string, Warning>();
  for (const { name, nodes, isEmbedded } of parts) {
    // A chart may be in a section of the part that shows it.
    if (isEmbedded) continue;
    const part = scanned.find((one) => one.name === name)?.label ?? name;
    for (const node of nodes) {
      const asking = askedBy(node);
      const readsPosition = asking?.expression.uses('print').some(({ segments: [first = ''] }) => isLoopHelper(first));
      if (asking === undefined || readsPosition !== true || found.size >= maxWarnings) continue;
      const sign = node.kind === 'section' ? (node.isInverted ? '^' : '#') : '';
      const message = `${open}${sign}${asking.tag}${close} reads the position in a list, but no section is around it.`;
      found.set(`${message} ${part}`, { code: 'no_list', message, part });
    }
  }
  return [...found.values()];
}
