import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/admin/commands.ts';
import { type AdminDeps, parseCommand, UsageError } from '../../../src/admin/parse-command.ts';
import { runCommand } from '../../../src/admin/run-command.ts';

const id = (kind: string) => `${kind}_${'0'.repeat(26)}`;
const [account, key, template] = [id('acc'), id('key'), id('tpl')];

/** A refused command line must not use the database. */
const noDatabase = {
  databaseUrl: 'postgres://nowhere.invalid/none',
  db: new Proxy(
    {},
    {
      get(): never {
        throw new Error('the database was used');
      },
    },
  ),
} as AdminDeps;

async function problemOf(...line: string[]): Promise<string> {
  try {
    await runCommand(noDatabase, parseCommand(commands, line));
    return 'accepted';
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    if (error instanceof Error && error.message === 'the database was used') return 'accepted';
    throw error;
  }
}

describe('a name', () => {
  it.each([
    ['ordinary', 'Ada & Söhne GmbH (№ 3)'],
    ['Arabic', 'شركة'],
    ['with a zero-width non-joiner, as Persian has', 'می‌خواهم'],
    ['an emoji of several', '👩‍🚀 Space 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['with a variation of a character', '葛\u{e0100}'],
    ['of 200 characters outside of the basic plane', '𝒜'.repeat(200)],
    ['that begins with a dash', '-x'],
  ])('may be %s', async (_, name) => {
    expect(await problemOf('create-account', `--name=${name}`)).toBe('accepted');
  });

  it.each([
    ['empty', '', '1 to 200'],
    ['blank', ' \t\u3000 ', '1 to 200'],
    ['of 201 characters', 'x'.repeat(201), '1 to 200'],
    ['of 201 characters outside of the basic plane', '𝒜'.repeat(201), '1 to 200'],
    ['a megabyte', 'x'.repeat(1_000_000), '1 to 200'],
    ['of two lines', 'a\nb', 'visible'],
    ['of two lines of Unicode', 'a\u2028b', 'visible'],
    ['with an escape of a terminal', 'a\u001b[31mb', 'visible'],
    ['with a C1 control', 'a\u009bb', 'visible'],
    ['with a direction', 'a\u202eb', 'visible'],
    ['with an isolate', 'a\u2066b', 'visible'],
    ['with an Arabic letter mark', 'a\u061cb', 'visible'],
    ['with a zero-width space', 'a\u200bb', 'visible'],
    ['with a word joiner', 'a\u2060b', 'visible'],
    ['with a soft hyphen', 'a\u00adb', 'visible'],
    ['with a byte order mark', 'a\ufeffb', 'visible'],
    ['of joiners alone', '\u200d\u200c', 'visible'],
    ['of a filler of Hangul', '\u3164', 'visible'],
    ['of a Braille pattern without dots', '\u2800', 'visible'],
    ['of combining marks alone', '\u0301', 'visible'],
    ['with a noncharacter', 'a\ufffeb', 'visible'],
    ['with half a surrogate pair', 'a\ud800b', 'visible'],
  ])('must not be %s', async (_, name, problem) => {
    expect(await problemOf('create-account', `--name=${name}`)).toContain(problem);
  });
});

describe('a number', () => {
  it.each(['0', '1', '007', '1000000000'])('may be %j', async (docs) => {
    expect(await problemOf('set-budget', '--key', key, `--docs=${docs}`)).toBe('accepted');
  });

  it.each([
    ...['', ' ', '-1', '+1', '1.5', '1,5', '1e3', '0x10', '1_000', ' 1', '1 ', '٣', '１', 'NaN', 'Infinity', 'null'],
    ...['1000000001', '2147483647', '2147483648', '4294967296', '9007199254740993', '9'.repeat(400)],
  ])('must not be %j', async (docs) => {
    const problem = '--docs must be a whole number from 0 to 1000000000';
    expect(await problemOf('set-budget', '--key', key, `--docs=${docs}`)).toBe(problem);
    expect(await problemOf('grant-credits', '--account', account, `--docs=${docs}`, '--templates=1')).toBe(problem);
  });

  it.each([
    [['set-subscription', '--account', account, '--docs=1', '--templates=1', '--anchor-day=0'], 'day of the month'],
    [['set-subscription', '--account', account, '--docs=1', '--templates=1', '--anchor-day=32'], 'day of the month'],
    [['set-batch-weight', '--account', account, '--weight=0'], 'from 1 to 100'],
    [['set-batch-weight', '--account', account, '--weight=101'], 'from 1 to 100'],
  ])('a number has the limits of its option: %j', async (line, problem) => {
    expect(await problemOf(...line)).toContain(problem);
  });
});

describe('a time', () => {
  const expires = (time: string) => problemOf('create-key', '--account', account, `--expires=${time}`);

  it.each([
    ['a date', '2099-12-31'],
    ['a leap day', '2096-02-29'],
    ['a leap day of a leap century', '2400-02-29'],
    ['a time with an offset', '2099-01-31T12:00:00+14:00'],
    ['a time with nanoseconds', '2099-01-31T12:00:00.123456789Z'],
    ['the last that has four digits', '9999-12-31T23:59:59.999Z'],
  ])('may be %s', async (_, time) => {
    expect(await expires(time)).toBe('accepted');
  });

  it.each([
    ['no leap day', '2097-02-29', 'ISO 8601'],
    ['no leap day of a century', '2100-02-29', 'ISO 8601'],
    ['the 31st of a month of 30 days', '2099-04-31T00:00:00Z', 'ISO 8601'],
    ['month 13', '2099-13-01', 'ISO 8601'],
    ['day 0', '2099-01-00', 'ISO 8601'],
    ['a leap second', '2099-12-31T23:59:60Z', 'ISO 8601'],
    ['hour 25', '2099-01-31T25:00:00Z', 'ISO 8601'],
    ['without a zone', '2099-01-31T12:00:00', 'with its zone'],
    ['with the name of a zone', '2099-01-31T12:00:00[Europe/Berlin]', 'with its zone'],
    ['with an impossible offset', '2099-01-31T12:00:00+99:00', 'ISO 8601'],
    ['of another format', '31.01.2099', 'ISO 8601'],
    ['seconds since 1970', '4102444800', 'ISO 8601'],
    ['in words', 'tomorrow', 'ISO 8601'],
    ['endless', 'infinity', 'ISO 8601'],
    ['empty', '', 'ISO 8601'],
    ['past', '2020-01-01', 'in the future'],
    ['of the first year', '0001-01-01', 'in the future'],
    ['of the year 10000 in UTC', '9999-12-31T23:59:59-23:59', 'before the year 10000'],
    ['of a year with six digits', '+275760-09-13', 'ISO 8601'],
  ])('must not be %s', async (_, time, problem) => {
    expect(await expires(time)).toContain(problem);
  });
});

describe('an id', () => {
  it.each([
    [['create-key', '--account', key], '--account must be the id of an account, which begins with acc_'],
    [['show-account', '--account', 'Acme'], '--account must be the id of an account, which begins with acc_'],
    [['show-account', '--account', `${account}\u202e`], '--account must be the id of an account'],
    [['list-quarantine', '--account', template], '--account must be the id of an account'],
    [['set-subscription', '--account', key, '--docs=1', '--templates=1'], '--account must be the id of an account'],
    [['grant-credits', '--account', template, '--docs=1', '--templates=1'], '--account must be the id of an account'],
    [['set-batch-weight', '--account', key, '--weight=2'], '--account must be the id of an account'],
    [['revoke-key', '--key', account], '--key must be the id of an API key, which begins with key_'],
    [['set-budget', '--key', '', '--docs=1'], '--key must be the id of an API key'],
    [['pin-template', '--template', account, '--unpin'], '--template must be the id of a template'],
    [['lift-quarantine', '--template', id('doc')], '--template must be the id of a template'],
    [['lift-quarantine', '--fingerprint', template], '--fingerprint must be hexadecimal digits'],
    [['show-account', '--account', `acc_${'0'.repeat(1_000_000)}`], '--account must be the id of an account'],
  ])('an id of another kind is refused: %j', async (line, problem) => {
    expect(await problemOf(...line)).toContain(problem);
  });
});

describe('an option', () => {
  it.each([
    [['set-budget', '--key', key, '--docs=1', '--docs=1'], "'--docs' is given twice"],
    [['revoke-key', '--key', key, '--json', '--json'], "'--json' is given twice"],
    [['pin-template', '--template', template, '--unpin', '--unpin'], "'--unpin' is given twice"],
    [['revoke-key', '--key', key, '--force'], "Unknown option '--force'"],
    [['revoke-key', '--key', key, '-f'], "Unknown option '-f'"],
    [['revoke-key', '--key', key, '--__proto__=1'], "Unknown option '--__proto__'"],
    [['revoke-key', '--key', key, '--no-json'], 'Unknown option'],
    [['revoke-key', key], 'Unexpected argument'],
    [['revoke-key', '--key', key, '--', 'rest'], 'Unexpected argument'],
    [['revoke-key', '--KEY', key], 'Unknown option'],
    [['revoke-key', '--key'], 'argument missing'],
    [['grant-credits', '--account', account, '--docs', '-1', '--templates', '1'], 'argument is ambiguous'],
    [['pin-template', '--template', template, '--unpin=yes'], "'--unpin' does not take an argument"],
    [['pin-template', '--template', template, '--unpin', '--engine=25.2'], 'either --engine or --unpin'],
    [['pin-template', '--template', template, '--engine=25'], 'two numbers'],
    [['pause'], 'Give either --queue, --account or --all'],
    [['pause', '--queue', 'maintenance'], '--queue must be docx, pdf'],
    [['resume', '--all', '--queue', 'pdf'], 'Give either --queue'],
    [['drain'], 'Give either --worker or --all'],
    [['constructor'], 'There is no command "constructor". Usage: admin <command>'],
    [['__proto__'], 'There is no command "__proto__". Usage: admin <command>'],
    [[], 'A command is missing. Usage: admin <command>'],
  ])('an invalid option is named in the error: %j', async (line, problem) => {
    expect(await problemOf(...line)).toContain(problem);
  });
});
