// The URL of a receiver, as users write it.
import { type Fault, invalidParameter } from '@rookery/kernel/fault.ts'

/** Where a receiver is, as it was given, and in the one spelling by which it is found again. */
export interface ReceiverUrl {
  readonly given: string
  readonly href: string
  /** The parameter that it came in. */
  readonly parameter: string
  /** The part that everybody may see. */
  readonly host: string
}

/** Reads a receiver's URL; what is no http(s) URL, or carries credentials, is a `bad-input`. */
export function parseReceiverUrl(text: string): ReceiverUrl {
  const wrong = (reason: string): Fault => invalidParameter('url', reason)
  if (!URL.canParse(text)) throw wrong('must be a URL, such as https://alerts.example.com/rookery')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong('must begin with http:// or https://')
  if (url.username !== '' || url.password !== '')
    throw wrong('must carry no credentials; send them in a header')
  url.hash = ''
  return { given: text, href: url.href, parameter: 'url', host: url.host }
}
