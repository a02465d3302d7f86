// Bytes that should be a document of SAML: looked at before any parser sees them.

export type Document = { readonly text: string } | { readonly problem: string }

/** A document type is refused wherever it stands: entities are declared in it. Comments and CDATA sections may stand. */
const DECLARATION = /<!(?!--|\[CDATA\[)/

export function documentOf(bytes: Uint8Array): Document {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { problem: 'it is not UTF-8' }
  }
  return DECLARATION.test(text) ? { problem: 'it has a document type (DOCTYPE)' } : { text }
}
