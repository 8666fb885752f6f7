import { LinkedText } from '../../linked-text.ts';
import { printValue } from '../../print-value.ts';
import { readWebAddress } from '../../web-address.ts';
import { asText } from '../as-text.ts';
import type { Formatter } from '../formatter.ts';

function addressProblem(value: unknown): string | undefined {
  if (value === '') return undefined;
  const read = readWebAddress(asText(value) ?? '');
  return 'problem' in read ? read.problem : undefined;
}

export const linkFormatters: Readonly<Record<string, Formatter>> = {
  link: {
    takes: 'text',
    gives: 'link',
    parameters: [
      {
        name: 'address',
        type: 'text',
        example: 'https://example.com/',
        acceptsMissing: true,
        kind: 'address',
        check: addressProblem,
      },
    ],
    apply: (input, args, call) => {
      const printed = printValue(input);
      if ('problem' in printed) call.fail(printed.problem);
      const read = readWebAddress(args.text(0));
      return new LinkedText(input, 'url' in read ? read.url : undefined);
    },
  },
};
