import { isAddressRange } from '../../shared/config/address-ranges.ts';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from '../../shared/domain/operators/operator-keys.ts';
import {
  allOperatorScopes,
  isOperatorScope,
  type OperatorScope,
} from '../../shared/domain/operators/operator-scopes.ts';
import { type Commands, type Options, optional, required, UsageError } from '../parse-command.ts';
import { readCount, readId, readLimit, readName, readTime } from '../read-options.ts';

const maxRequests = 1_000_000;

export const operatorKeyCommands: Commands = {
  'create-operator-key': {
    summary: 'Create an operator key for the admin API; it is shown once',
    options: {
      name: required('<name>'),
      scopes: optional(`<${allOperatorScopes.join(',')}>`),
      ranges: optional('<addresses>'),
      'requests-per-minute': optional('<n>'),
      expires: optional('<date>'),
    },
    act(options) {
      const key = {
        name: readName(options, 'name'),
        scopes: options.has('scopes') ? readScopes(options) : null,
        addressRanges: options.has('ranges') ? readRanges(options) : null,
        requestsPerMinute: options.has('requests-per-minute')
          ? readCount(options, 'requests-per-minute', 1, maxRequests)
          : null,
        expiresAt: readTime(options, 'expires') ?? null,
      };
      return (tx) => createOperatorKey(tx, key);
    },
  },
  'list-operator-keys': {
    summary: 'List the operator keys, newest first, without their secrets',
    options: { limit: optional('<1-1000>'), before: optional('<operatorKeyId>') },
    run: ({ db }, options) =>
      listOperatorKeys(db, {
        limit: readLimit(options),
        before: options.has('before') ? readId(options, 'before', 'opk') : undefined,
      }),
  },
  'revoke-operator-key': {
    summary: 'Revoke an operator key at once',
    options: { 'operator-key': required('<operatorKeyId>') },
    act(options) {
      const id = readId(options, 'operator-key', 'opk');
      return (tx) => revokeOperatorKey(tx, id);
    },
  },
};

const parts = (options: Options, name: string): readonly string[] => [
  ...new Set((options.get(name) ?? '').split(',').map((each) => each.trim())),
];

function readScopes(options: Options): readonly OperatorScope[] {
  return parts(options, 'scopes').map((scope) => {
    if (!isOperatorScope(scope))
      throw new UsageError(`--scopes must be a list of ${allOperatorScopes.join(', ')}, separated by commas`);
    return scope;
  });
}

function readRanges(options: Options): readonly string[] {
  const ranges = parts(options, 'ranges');
  if (!ranges.every(isAddressRange))
    throw new UsageError('--ranges must be IP addresses and ranges such as 203.0.113.0/24, separated by commas');
  return ranges;
}
