import { pictureLimits } from './picture-limits.ts';

type Decoding = { readonly bytes: Buffer } | { readonly problem: string };

const address = /^\s*(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\/\/|file:|cid:|blob:|www\.)/i;
const dataUrl = /^\s*data:([^,]{0,200}),/i;
const maxChars = Math.ceil((pictureLimits.bytes * 4) / 3) * 1.1;

/** Decodes base64 or base64url (RFC 4648) or a data URL (RFC 2397). Other URLs are never fetched. */
export function decodeBase64(text: string): Decoding {
  if (address.test(text)) {
    return {
      problem: 'is an address; pictures are never fetched: send the picture itself as base64, or name an asset',
    };
  }
  if (text.length > maxChars) return { problem: `is a picture of more than ${pictureLimits.bytes / 1024 / 1024} MB` };
  const url = dataUrl.exec(text);
  if (url === null && /^\s*data:/i.test(text)) return { problem: 'is a data URL without data' };
  const content = url === null ? text : text.slice(url[0].length);
  if (url !== null && !/;\s*base64\s*$/i.test(url[1] ?? '')) return decodePercent(content);
  const packed = /\s/.test(content) ? content.replace(/\s+/g, '') : content;
  const bytes = Buffer.from(packed, 'base64');
  const padding = packed.endsWith('==') ? 2 : packed.endsWith('=') ? 1 : 0;
  const isWhole = bytes.length === Math.floor(((packed.length - padding) * 3) / 4);
  return isWhole && bytes.length > 0 ? { bytes } : { problem: 'is not valid base64' };
}

function decodePercent(content: string): Decoding {
  try {
    return { bytes: Buffer.from(decodeURIComponent(content)) };
  } catch {
    return { problem: 'is a data URL that cannot be read' };
  }
}
