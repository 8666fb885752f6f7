import MailComposer, { type MailComposerOptions } from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { MailAttachment, MailMessage } from './contract.ts';
import { htmlToPlainText, isHtml } from './html-to-plain-text.ts';
import { oneLine } from './one-line.ts';
import { needsUtf8, type Recipient } from './recipient.ts';

export interface Sender {
  readonly name: string;
  readonly address: string;
}

export interface MessageHeaders {
  readonly from: Sender;
  readonly messageId: string;
  readonly to: readonly Recipient[];
  readonly cc: readonly Recipient[];
  /** Whether the headers may hold UTF-8 (RFC 6532), because the message is sent with SMTPUTF8. */
  readonly isUtf8: boolean;
}

/** The message as RFC 5322 bytes with CRLF line ends, without a Bcc header. */
export function composeMessage(message: MailMessage, headers: MessageHeaders): Promise<Buffer> {
  const composer = new MailComposer({
    from: headers.from,
    to: headers.to.map((recipient) => toMailbox(recipient, headers.isUtf8)),
    cc: headers.cc.map((recipient) => toMailbox(recipient, headers.isUtf8)),
    messageId: `<${headers.messageId}>`,
    headers: { ...subjectHeader(oneLine(message.subject)), 'Auto-Submitted': 'auto-generated' },
    ...bodyParts(message.body),
    attachments: attachmentsOf(message).map(({ filename, contentType, content }) => ({
      filename: oneLine(filename),
      contentType: isStructured.test(contentType) ? 'application/octet-stream' : oneLine(contentType),
      contentDisposition: 'attachment',
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    })),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/**
 * An address that ASCII headers cannot hold becomes the name of an empty group (RFC 6857, 3.1): readers still show it, and a reply
 * to all leaves it out.
 */
function toMailbox(recipient: Recipient, isUtf8: boolean) {
  if (needsUtf8(recipient) && !isUtf8) return `"${recipient.address}":;`;
  return { name: '', address: recipient.wire };
}

/** Encodes a subject that looks like an encoded word (RFC 2047), because readers would show it decoded. */
function subjectHeader(subject: string): MailComposerOptions['headers'] {
  if (!subject.includes('=?')) return { Subject: subject };
  return { Subject: { prepared: true, foldLines: true, value: encodeWord(subject, 'Q', 52) } };
}

function bodyParts(body: string): Pick<MailComposerOptions, 'text' | 'html'> {
  if (!isHtml(body)) return { text: body === '' ? ' ' : body };
  return { text: htmlToPlainText(body), html: body };
}

/**
 * Types whose content is a part of the message itself and cannot be encoded (RFC 2046, 5): a file of such a type would
 * be changed, or taken apart.
 */
const isStructured = /^(?:message|multipart)\//i;

const attachmentsOf = ({ attachment, others = [] }: MailMessage): readonly MailAttachment[] => [attachment, ...others];

/** A lower bound of the encoded size without encoding anything: base64 in lines of 76 characters with CRLF. */
export function minEncodedBytes(message: MailMessage): number {
  const attachmentBytes = attachmentsOf(message).reduce((sum, { content }) => sum + content.byteLength, 0);
  const base64Bytes = Math.ceil(attachmentBytes / 3) * 4;
  return base64Bytes + Math.max(0, Math.ceil(base64Bytes / 76) - 1) * 2;
}
