import { type CheckedPackage, children, elements, wordNs } from './read-package.ts';

const endingWithParagraph = ['tc', 'txbxContent', 'footnote', 'endnote', 'comment', 'hdr', 'ftr'];

/** Containers that must end with a paragraph but do not. */
export function misplacedEnds({ parts }: CheckedPackage): string[] {
  return parts.flatMap(({ name, document }) =>
    endingWithParagraph.flatMap((container) =>
      elements(document, wordNs, container)
        .filter(
          (element) =>
            element.parentNode?.nodeName !== 'w:footnotePr' && element.parentNode?.nodeName !== 'w:endnotePr',
        )
        .map((element) => lastBlock(children(element)))
        .filter((last) => last !== 'p')
        .map((last) => `${name}: ${container} ends with ${last}`),
    ),
  );
}

function lastBlock(elements: ReturnType<typeof children>): string {
  const last = elements.findLast((element) => !/^(?:bookmark|perm|comment)/.test(element.localName ?? ''));
  if (last?.localName !== 'sdt') return last?.localName ?? 'nothing';
  const content = children(last).find((element) => element.localName === 'sdtContent');
  return content === undefined ? 'nothing' : lastBlock(children(content));
}
