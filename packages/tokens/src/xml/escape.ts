/** Any text as the content of an element or the value of an attribute, in XML and in HTML. */
export const escapedMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
