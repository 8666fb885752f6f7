export const playgroundTexts = {
  title: 'Playground',
  preview: 'Preview',
  previewEmpty: 'The pages appear here.',
  states: {
    idle: 'No preview yet',
    rendering: 'Rendering…',
  },
  shown: (pages: number, duration: string) => `${pages === 1 ? '1 page' : `${pages} pages`} in ${duration}`,
  failed: 'The pages are those before the mistake',
  waiting: (seconds: number) => `Too many previews: the next one in ${seconds} s`,
  offline: (seconds: number) => `The service does not answer: the next attempt in ${seconds} s`,
};
