const list = (text: string): readonly string[] => text.split('¦');

/** Texts that are not JSON, by class as in nst/JSONTestSuite. */
export const noJson: readonly string[] = [
  // Empty input and non-values.
  ...list('¦ ¦\ufeff¦\u2060¦\u00e5¦*¦#¦,¦:¦]¦}¦<.>¦<null>¦&¦@¦a\u00e5¦abc¦nul¦tru¦fals¦nulL¦True¦TRUE¦NULL'),
  ...list('None¦undefined¦NaN¦Infinity¦-Infinity¦Inf¦-NaN¦+Inf¦truee¦true false¦nullnull¦1 2¦"a" "b"¦{} {}'),
  ...list('[][]¦{}[]¦new Date()'),
  // Numbers.
  ...list('+1¦++1¦--1¦-¦- 1¦-.5¦.5¦.-1¦.2e-3¦0.¦-2.¦2.e3¦2.e+3¦2.e-3¦1.0.0¦1..2¦01¦-01¦-00¦00.0¦00e0¦-00.0'),
  ...list("012¦-012¦0x1¦0x42¦0X1F¦0b1¦0o7¦1_000¦1'000¦1e¦1e+¦1e-¦1E¦1E+¦0e¦0E+¦1.0e¦1.0e-¦1eE2¦9.e+¦1 000.0"),
  ...list('1,5¦1+2¦1-2¦1/2¦0.3e¦0.3e+¦0.1.2¦0.e1¦1ea¦1a¦123\u00e5¦-1x¦-foo¦\uff11¦1\u00a0¦1e1\u00e5'),
  ...list('1.8011670033376514H-308'),
  // Strings.
  ...list('"¦"a¦"a\\¦"a\\"¦"\\¦"\\x00"¦"\\x¦"\\a"¦"\\q"¦"\\\\\\"¦"\\ "¦"\\\u00e5"¦"\\\u0000"¦"\\u"¦"\\u1"'),
  ...list('"\\u12"¦"\\u123"¦"\\uD800\\u"¦"\\uD800\\u1"¦"\\uD800\\u1x"¦"\\uqqqq"¦"\\u00A"¦"\\U0041"¦"\t"¦"\n"'),
  ...list('"\r"¦"\u0000"¦"\u001f"¦"new\nline"¦\'a\'¦\'¦`a`¦\u201ca\u201d¦a"¦\\u0020"a"¦"a"x¦"a",¦"\\u{41}"'),
  ...list('"\\0"¦"\\012"¦"\\v"'),
  // Arrays.
  ...list('[¦[1¦[1,¦[,¦[,1]¦[1,]¦[1,,]¦[1,,2]¦[,]¦[1 2]¦[1 true]¦["a" 4]¦["a",\n4\n,1,¦["a":1]¦[a]¦[*]¦[-]'),
  ...list('[1]]¦[1]x¦[3[4]]¦[""¦[""],¦[1:2]¦["x"¦[\u0000]¦[\f]¦[\u000b]¦[\u2060]¦[1}¦[{}¦[1,\n1\n,1¦["",]¦[x'),
  ...list('[1;2]¦[1, 0x1]¦[fals]¦[nul]'),
  // Objects.
  ...list('{¦{"a"¦{"a":¦{"a":1¦{"a":1,¦{"a":1,}¦{"a":1,,}¦{,"a":1}¦{,}¦{"a" 1}¦{"a" "b"}¦{"a"}¦{a:1}'),
  ...list('{\'a\':1}¦{1:1}¦{null:1}¦{true:1}¦{[]:1}¦{:"b"}¦{"a"::1}¦{"a":"b":"c"}¦{"a","b"}¦{"a",1}¦{"a":x}'),
  ...list('{"a":1 "b":2}¦{"a":1,"b"}¦{"a":1}}¦{"a":1}]¦{"a":1]¦{"a":1}#¦{"a":1}//¦{"a":1}/**/¦{"a":1}/*'),
  ...list('{/**/"a":1}¦{"a":/*c*/1}¦{"a":1}x¦{"a":"a" 123}¦{"x"::"b"}¦{\u{1f1e8}\u{1f1ed}}¦{"\\uD800\\u":1}'),
  ...list('{"a\\":1}¦{"a¦{"a\n":1}¦{"a":1;}¦{"a"=1}¦{"a"=>1}¦{"a":function(){}}¦{...{}}¦{"a":1,...}¦{"a":[}'),
  ...list('{"a":[}]¦{"a":[1,2}¦{"a":{"b":1}'),
  // Other languages and invalid whitespace.
  ...list("<a/>¦--- a: 1¦\u00a0{}¦\f{}¦\u000b{}¦\u2028{}¦\u3000{}¦)]}',\n{}¦while(1);{}¦a=1¦%7B%7D¦{}\u0000"),
  ...list('\u0000{}¦/**/{}¦//\n{}¦{}\u00a0'),
];

/** Invalid UTF-8 for use inside a string. */
export const noUtf8: readonly Buffer[] = [
  ...['80', 'bf', 'ff', 'fe', 'c0af', 'c080', 'e08080', 'eda080', 'edbfbf', 'f08080af', 'f4908080', 'f5808080', 'e282'],
  ...['e9', 'c3', 'f09f98', 'f8888080af', 'fc84808080af', 'fffe6100'],
].map((hex) => Buffer.from(hex, 'hex'));
