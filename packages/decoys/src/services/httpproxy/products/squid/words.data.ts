// The words of squid's error pages, in English as Debian's squid-langpack has them.

export type PageName =
  | 'ERR_CACHE_ACCESS_DENIED'
  | 'ERR_INVALID_REQ'
  | 'ERR_INVALID_URL'
  | 'ERR_PROTOCOL_UNKNOWN'
  | 'ERR_TOO_BIG'
  | 'ERR_UNSUP_HTTPVERSION'
  | 'ERR_UNSUP_REQ'

/** `%U` is the URL. */
export interface Words {
  readonly title: string
  readonly heading: string
  readonly error: string
  readonly text: readonly string[]
}

const FAILED = 'The requested URL could not be retrieved'
export const usual = (error: string, ...text: string[]): Words => ({
  title: FAILED,
  heading: FAILED,
  error,
  text,
})
const DENIED = 'Cache Access Denied'

export const WORDS: Readonly<Record<Exclude<PageName, 'ERR_INVALID_REQ'>, Words>> = {
  ERR_CACHE_ACCESS_DENIED: {
    title: DENIED,
    heading: `${DENIED}.`,
    error: `${DENIED}.`,
    text: [
      'Sorry, you are not currently allowed to request %U from this cache until you have authenticated yourself.',
      'Please contact the <a href="mailto:webmaster">cache administrator</a> if you have difficulties authenticating yourself.',
    ],
  },
  ERR_INVALID_URL: usual('Invalid URL', 'Some aspect of the requested URL is incorrect.'),
  ERR_PROTOCOL_UNKNOWN: usual(
    'Unsupported Protocol',
    'Squid does not support some access protocols. For example, the SSH protocol is currently not supported.',
  ),
  ERR_TOO_BIG: usual(
    'The request or reply is too large.',
    'If you are making a POST or PUT request, then the item you are trying to upload is too large.',
    'If you are making a GET request, then the item you are trying to download is too large.',
    'These limits have been established by the Internet Service Provider who operates this cache. Please contact them directly if you feel this is an error.',
  ),
  ERR_UNSUP_HTTPVERSION: {
    title: FAILED,
    heading: 'Unsupported HTTP version',
    error: 'Unsupported HTTP version',
    text: ['This Squid does not accept the HTTP version you are attempting to use.'],
  },
  ERR_UNSUP_REQ: usual(
    'Unsupported Request Method and Protocol',
    'Squid does not support all request methods for all access protocols. For example, you can not POST a Gopher request.',
  ),
}

const list = (items: readonly string[]): string =>
  `<p>Some possible problems are:</p>\n<ul>\n${items.map((item) => `<li${item}</p></li>\n`).join('')}</ul>`

export const URL_PROBLEMS = list([
  '><p>Missing or incorrect access protocol (should be <q>http://</q> or similar)',
  '><p>Missing hostname',
  '><p>Illegal double-escape in the URL-Path',
  '><p>Illegal character in hostname; underscores are not allowed.',
])
export const REQUEST_PROBLEMS = list([
  ' id="missing-method"><p>Missing or unknown request method.',
  ' id="missing-url"><p>Missing URL.',
  ' id="missing-protocol"><p>Missing HTTP Identifier (HTTP/1.0).',
  '><p>Request is too large.',
  '><p>Content-Length missing for POST or PUT requests.',
  '><p>Illegal character in hostname; underscores are not allowed.',
  '><p>HTTP/1.1 <q>Expect:</q> feature is being asked from an HTTP/1.0 software.',
])

export const ADMINISTRATOR = '<p>Your cache administrator is <a href="mailto:webmaster">webmaster</a>.</p>'

export const BEGIN = `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html><head>
<meta type="copyright" content="Copyright (C) 1996-2021 The Squid Software Foundation and contributors">
<meta http-equiv="Content-Type" content="text/html; charset=utf-8">
`
