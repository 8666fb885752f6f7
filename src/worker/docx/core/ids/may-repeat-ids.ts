import type { Node } from '../nodes.ts';
import { findIdMarks, type IdMark } from './id-marks.ts';

/** Whether sections may repeat ids of a part, or separate a range's start from its end. */
export function mayRepeatIds(nodes: readonly Node[]): boolean {
  const outside: IdMark[] = [];
  if (collectOutside(nodes, outside)) return true;
  const open = new Set<string>();
  for (const { kind, id } of outside) {
    if (kind.endsWith('Start')) open.add(kind.replace('Start', id));
    else if (kind.endsWith('End') && !open.delete(kind.replace('End', id))) return true;
  }
  return open.size > 0;
}

/** Collects the marks outside of sections; true as soon as one stands inside. */
function collectOutside(nodes: readonly Node[], outside: IdMark[], isInside = false): boolean {
  for (const node of nodes) {
    if (node.kind === 'text') {
      const marks = findIdMarks(node.xml);
      if (isInside && marks.length > 0) return true;
      for (const mark of marks) outside.push(mark);
    } else if (node.kind === 'section' && collectOutside(node.body, outside, true)) return true;
  }
  return false;
}
