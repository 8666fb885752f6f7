import { describe, expect, test } from 'vitest';
import { textString, withEntry, withItems } from '../../../../src/worker/pdf/conformance/completion/edit-dictionary.ts';

describe('an entry of a PDF dictionary', () => {
  test.each([
    ['a name', '/S/Old', '/S/New'],
    ['a reference', '/S 12 0 R/T 1', '/S /New/T 1'],
    ['a number', '/S 12/T 0 R', '/S /New/T 0 R'],
    ['a string', '/S(a\\) (b) >>)/T 1', '/S/New/T 1'],
    ['a hexadecimal string', '/S<3E3E>/T 1', '/S/New/T 1'],
    ['an array', '/S[[1] (]) <5D>]/T 1', '/S/New/T 1'],
    ['a dictionary', '/S<</S/Inner/K[1]>>/T 1', '/S/New/T 1'],
  ])('is replaced: %s', (_kind, before, after) => {
    const text = `4 0 obj\n<</A<</S 1>>/B(/S/No)\n${before}>>\nendobj`;
    expect(withEntry(text, 'S', '/New')).toBe(`4 0 obj\n<</A<</S 1>>/B(/S/No)\n${after}>>\nendobj`);
  });

  test('is added if it is missing, whatever strings and inner dictionaries there are', () => {
    expect(withEntry('1 0 obj\n<</A<</K 1>>/B(/K 2)>>', 'K', '3')).toBe('1 0 obj\n<</K 3\n/A<</K 1>>/B(/K 2)>>');
  });

  test('gets more items as an array', () => {
    expect(withItems('1 0 obj\n<</K[1 2 0 R ]>>', 'K', ['3 0 R'])).toBe('1 0 obj\n<</K[1 2 0 R 3 0 R]>>');
    expect(withItems('1 0 obj\n<</K 2 0 R>>', 'K', ['3 0 R'])).toBe('1 0 obj\n<</K [2 0 R 3 0 R]>>');
    expect(withItems('1 0 obj\n<</A 1>>', 'K', ['3 0 R'])).toBe('1 0 obj\n<</K [ 3 0 R]\n/A 1>>');
  });

  test.each([
    '',
    '<<',
    '1 0 obj\n(',
    '<</K',
    '<</K(',
    '<</K[',
    '<</K<<',
    '<</K<',
    '<</K[<</A(]',
    '<</\\',
    '<</K ',
    '<</K]/A 1>>',
  ])('does not make the parser hang in the damaged text %j', (text) => {
    expect(withItems(withEntry(text, 'A', '1'), 'K', ['2'])).toBeTypeOf('string');
  });

  test('contains text in UTF-16', () => {
    expect(textString('Größe 漢')).toBe('<FEFF0047007200F600DF006500206F22>');
  });
});
