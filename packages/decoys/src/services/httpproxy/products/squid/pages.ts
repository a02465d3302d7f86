// Squid's error pages, in English as Debian's squid-langpack has them.
import { byWord } from '@rookery/kernel/by-word.ts'
import { STYLE } from './style.data.ts'
import {
  ADMINISTRATOR,
  BEGIN,
  REQUEST_PROBLEMS,
  URL_PROBLEMS,
  usual,
  WORDS,
  type PageName,
} from './words.data.ts'

/** What a page says about the request. All latin1. */
export interface Facts {
  readonly url: string
  readonly method: string
  readonly scheme: string
  /** Request line and fields. */
  readonly request: string
}

export const NO_FACTS: Facts = {
  url: 'error:invalid-request',
  method: '[unknown method]',
  scheme: '[unknown protocol]',
  request: '[no request]',
}

/** `signature`: date, host and server. A client that asks for English gets the page in another folder than one that says nothing. */
export function page(name: PageName, facts: Facts, signature: string, isAsked: boolean): string {
  const url = quoted(facts.url)
  const { title, heading, error, text } = name === 'ERR_INVALID_REQ' ? usual('Invalid Request') : WORDS[name]
  const paragraphs = text.map((line) => `<p>${line.replace('%U', () => url)}</p>`)
  const isDenied = name === 'ERR_CACHE_ACCESS_DENIED'
  if (name === 'ERR_INVALID_URL') paragraphs.push(URL_PROBLEMS)
  const body =
    name === 'ERR_INVALID_REQ'
      ? requestBody(facts)
      : `<p>The following error was encountered while trying to retrieve the URL: <a href="${url}">${url}</a></p>

<blockquote id="error">
<p><b>${error}</b></p>
</blockquote>

${paragraphs.join(name === 'ERR_TOO_BIG' ? '\n' : '\n\n')}
${isDenied ? '' : `\n${ADMINISTRATOR}`}`
  return `${BEGIN}<title>ERROR: ${title}</title>
${STYLE}
</head><body id=${isAsked ? `"${name}"` : name}>
<div id="titles">
<h1>ERROR</h1>
<h2>${heading}</h2>
</div>
<hr>

<div id="content">
${body}
<br>
</div>

${name === 'ERR_INVALID_REQ' ? script(facts, url) : ''}<hr>${isDenied ? ' ' : ''}
<div id="footer">
<p>Generated ${signature}</p>
<!-- ${name} -->
</div>
</body></html>
`
}

const requestBody = ({ request }: Facts): string =>
  `<p><b>Invalid Request</b> error was encountered while trying to process the request:</p>

<blockquote id="data">
<pre>${quoted(request)}</pre>
</blockquote>

${REQUEST_PROBLEMS}

${ADMINISTRATOR}`

const script = ({ method, scheme }: Facts, url: string): string =>
  `<script language="javascript">
if ('${quoted(method)}' != '[unknown method]') document.getElementById('missing-method').style.display = 'none';
if ('${url}' != '[no URL]') document.getElementById('missing-url').style.display = 'none';
if ('${quoted(scheme)}' != '[unknown protocol]') document.getElementById('missing-protocol').style.display = 'none';
</script>

`

const NAMED = byWord<string>({ '<': '&lt;', '>': '&gt;', '"': '&quot;', '&': '&amp;', "'": '&#39;' })

/** As squid quotes what a client sent: characters beyond ASCII and controls by their number, three places wide. */
export const quoted = (text: string): string =>
  text.replace(
    /[<>"&'\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xff]/g,
    (c) => NAMED[c] ?? `&#${String(c.charCodeAt(0)).padStart(3)};`,
  )
