// The response of an identity provider as a browser posts it: base64 in a form (saml-bindings-2.0-os, 3.5.4).
import type { HttpVisit } from '../channels/http/visit.ts'
import { documentOf } from './document.ts'

/** `too-long`: only the start of the body was kept; `unread`: none of it, since too many bodies were being read. */
export type PostedResponse =
  | { readonly type: 'none' | 'too-long' | 'unread' }
  | { readonly type: 'refused'; readonly problem: string }
  | { readonly type: 'response'; readonly text: string }

export function postedResponse({ body, isBodyCut }: HttpVisit): PostedResponse {
  if (isBodyCut) return { type: body === undefined ? 'unread' : 'too-long' }
  const encoded = new URLSearchParams(body ?? '').get('SAMLResponse')
  if (encoded === null) return { type: 'none' }
  const document = documentOf(Buffer.from(encoded, 'base64'))
  return 'text' in document
    ? { type: 'response', text: document.text }
    : { type: 'refused', problem: document.problem }
}
