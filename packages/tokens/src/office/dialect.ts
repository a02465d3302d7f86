// The two forms of ECMA-376, of which programs write either: they differ in the names of their namespaces.

/** A namespace, or a text with namespaces, in the names of a document's form. */
export type Dialect = (text: string) => string

/** As nearly all documents have them. */
export const transitional: Dialect = (text) => text

/** Strict Open XML (ECMA-376, part 1, annex A). */
export const strict: Dialect = (text) =>
  text.replaceAll(/http:\/\/schemas\.openxmlformats\.org\/(\w+)\/2006\//g, 'http://purl.oclc.org/ooxml/$1/')
