/**
 * The text without what a program makes a link of: `hxxp[:]//evil[.]test`, as the field writes it. Addresses of numbers
 * stay as they are. For services that find links in plain text.
 */
export const defanged = (text: string): string =>
  text.replace(/:(?=\/\/)/g, '[:]').replace(/(?<=[\p{L}\p{N}-])\.(?=\p{L}{2})/gu, '[.]')
