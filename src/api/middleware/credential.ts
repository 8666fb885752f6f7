import type { KeyHolder } from '../../shared/domain/api-keys/find-key.ts';

/** What a request was admitted with: an API key, or the session of a person. */
export interface Credential {
  /** Its holder; undefined once it is no longer valid. */
  find(): Promise<KeyHolder | undefined>;
  /** Milliseconds until `find` may find something else; at least a second. */
  recheckMs(): number;
}
