interface SignInProvider {
  readonly id: string;
  readonly name: string;
}

/** The providers by which people sign in; empty where only keys do. The service writes them into the page. */
export const providers: readonly SignInProvider[] = JSON.parse(
  document.querySelector('meta[name="sign-in"]')?.getAttribute('content') ?? '[]',
);
