/** The part of the version that determines the layout: major and minor, such as 25.2 of 25.2.3.2. */
export function engineVersionOf(fullVersion: string): string {
  return fullVersion.split('.').slice(0, 2).join('.');
}

/** The form of a version to which a template can be pinned. */
export const engineVersion = /^\d{1,4}\.\d{1,4}$/;
