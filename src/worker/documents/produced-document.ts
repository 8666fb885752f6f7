import type {
  DocumentConformance,
  DocumentEngine,
  DocumentWarning,
} from '../../shared/domain/documents/document-record.ts';
import type { PageCheck } from '../direct-pdf/direct-layout.ts';
import type { LoadedFiles } from './load-files.ts';

/** A finished file, before it is stored. */
export interface ProducedDocument {
  readonly bytes: Uint8Array;
  readonly pages: number | null;
  /** Null for a .docx. */
  readonly engine: DocumentEngine | null;
  readonly warnings: readonly DocumentWarning[];
  /** Undefined when the request asked for no standard. */
  readonly conformance?: DocumentConformance | undefined;
  readonly renderMs: number;
  readonly convertMs: number;
  /** The files that the e-mail carries in addition to the document. */
  readonly emailFiles?: LoadedFiles['email'] | undefined;
  /** Set if it was laid out directly. A share of these is compared with LibreOffice's pages once the caller has them. */
  readonly pageCheck?: PageCheck | undefined;
}
