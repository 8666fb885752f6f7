import { z } from 'zod';

/** A PDF of the request that is put before or after the pages. */
export interface PdfPart {
  /** Its path in the request, such as `output.pdf.append[0]`. */
  readonly path: string;
  /** The title of its bookmark if the file itself has none; may be empty. */
  readonly title: string;
}

export interface JoinRequest {
  /** The document, as LibreOffice or direct layout wrote it. */
  readonly pdf: Uint8Array;
  readonly before: readonly PdfPart[];
  readonly after: readonly PdfPart[];
  /** The bytes of the parts by path. */
  readonly content: ReadonlyMap<string, Uint8Array>;
  /** The limit for the pages of all parts together. */
  readonly maxPages: number;
}

const joinAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('joined'),
    pdf: z.instanceof(Uint8Array),
    addedPages: z.int().min(0),
    losses: z.array(z.object({ path: z.string(), lost: z.array(z.string()) })),
  }),
  z.object({ kind: z.literal('refused'), path: z.string(), problem: z.string() }),
]);

export type JoinAnswer =
  | {
      readonly kind: 'joined';
      readonly pdf: Uint8Array;
      readonly addedPages: number;
      /** The features of parts that the joined file does not have. */
      readonly losses: readonly { readonly path: string; readonly lost: readonly string[] }[];
    }
  | { readonly kind: 'refused'; readonly path: string; readonly problem: string };

/** Validates the answer of a join process, because it has read files that may be hostile. */
export function readJoinAnswer(message: unknown): JoinAnswer | undefined {
  return joinAnswer.safeParse(message).data;
}
