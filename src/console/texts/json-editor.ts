export const jsonEditorTexts = {
  missing: (name: string) => `"${name}" is missing`,
  wrongType: (types: string) => `must be of type ${types}`,
  notObject: 'The data must be a JSON object, such as {"name": "value"}.',
  invalid: (reason: string) => `The data is not valid JSON: ${reason}`,
};
