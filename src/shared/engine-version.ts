/** The version that decides how pages look: major and minor, such as 25.2 of 25.2.3.2. */
export function engineVersionOf(fullVersion: string): string {
  return fullVersion.split('.').slice(0, 2).join('.');
}

/** A version as a template may be pinned to it. */
export const engineVersion = /^\d{1,4}\.\d{1,4}$/;
