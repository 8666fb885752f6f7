import { Paragraph, TextRun } from 'docx';
import { line, page } from './page.ts';

/** A sentence in one script, with the formatting that Word gives it. */
interface ScriptSample {
  readonly name: string;
  /** An ISO 15924 code, as in `GET /v1/fonts`. */
  readonly script: string;
  readonly text: string;
  /** A BCP 47 tag. It determines which form of a shared Chinese character is drawn. */
  readonly language: string;
  readonly isRightToLeft?: boolean;
  /** The font that the PDF must contain for the text. */
  readonly font: RegExp;
}

export const scriptSamples: readonly ScriptSample[] = [
  {
    name: 'Simplified Chinese',
    script: 'Hans',
    text: '今天天气很好，我们想一起去公园里散步。',
    language: 'zh-CN',
    font: /CJKsc/,
  },
  {
    name: 'Traditional Chinese',
    script: 'Hant',
    text: '今天天氣很好，我們想一起去公園裡散步。',
    language: 'zh-TW',
    font: /CJKtc/,
  },
  {
    name: 'Japanese',
    script: 'Jpan',
    text: '今日は天気が良いので、公園を散歩します。',
    language: 'ja-JP',
    font: /CJKjp/,
  },
  { name: 'Korean', script: 'Kore', text: '오늘은 날씨가 좋아서 공원을 산책합니다.', language: 'ko-KR', font: /CJKkr/ },
  { name: 'Thai', script: 'Thai', text: 'วันนี้อากาศดีมากเราจึงไปเดินเล่นที่สวนสาธารณะ', language: 'th-TH', font: /Thai/ },
  {
    name: 'Hindi',
    script: 'Deva',
    text: 'आज मौसम अच्छा है, क्षण भर पार्क में टहलते हैं।',
    language: 'hi-IN',
    font: /Devanagari/,
  },
  {
    name: 'Arabic',
    script: 'Arab',
    text: 'الطقس جميل اليوم، سنذهب إلى الحديقة.',
    language: 'ar-SA',
    isRightToLeft: true,
    font: /DejaVuSans|Arab/,
  },
  {
    name: 'Hebrew',
    script: 'Hebr',
    text: 'מזג האוויר נאה היום, נלך לפארק.',
    language: 'he-IL',
    isRightToLeft: true,
    font: /DejaVuSans|Hebrew/,
  },
  { name: 'Emoji', script: 'Zsye', text: '😀 👍🏽 👩‍👧 🇯🇵 ❤️ 🎉 ☎️', language: 'en-GB', font: /Emoji|Type3|DejaVuSans/ },
];

const heightMm = 150;
/** The font size of the sentences. */
export const halfPoints = 28;

/** A page with every sample. Each sample is longer than a line. */
export function scriptsPage(): Promise<Buffer> {
  return page(
    heightMm,
    scriptSamples.flatMap((sample) => [line(sample.name, { size: 14, color: '5B6472' }), sampleLine(sample)]),
  );
}

function sampleLine({ text, language, isRightToLeft = false }: ScriptSample): Paragraph {
  return new Paragraph({
    bidirectional: isRightToLeft,
    spacing: { after: 60 },
    children: [
      new TextRun({
        text,
        font: 'Calibri',
        size: halfPoints,
        sizeComplexScript: halfPoints,
        rightToLeft: isRightToLeft,
        language: { value: language, eastAsia: language, bidirectional: language },
      }),
    ],
  });
}
