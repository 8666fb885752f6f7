import { expect, test } from 'vitest';
import { readOptions } from '../../../../tools/local/options.ts';

test('the default is port 3000, one worker and data in .local, also with empty variables', () => {
  expect(readOptions({})).toEqual({ folder: '.local', port: 3000, workers: 1 });
  expect(readOptions({ LOCAL_DIR: '', PORT: '', WORKERS: '' })).toEqual(readOptions({}));
});

test('each variable is read', () => {
  expect(readOptions({ LOCAL_DIR: '/x', PORT: '0', WORKERS: '3' })).toEqual({ folder: '/x', port: 0, workers: 3 });
});

test.each(['-1', '1.5', 'a', '65536', '  x'])('PORT=%s is refused', (port) => {
  expect(() => readOptions({ PORT: port })).toThrow('PORT must be a whole number from 0 to 65535');
});

test('the error for WORKERS=many names the variable', () => {
  expect(() => readOptions({ WORKERS: 'many' })).toThrow('WORKERS must be a whole number from 0 to 64');
});
