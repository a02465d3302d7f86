// The pages of IIS for errors that remote clients see (httpErrors, `errorMode` DetailedLocalOnly). Headings and sentences are
// IIS's, and so is the length; the style sheet is our own.
import type { RequestHead } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'

const TEXTS: Readonly<Record<number, readonly [heading: string, sentence: string]>> = {
  403: [
    '403 - Forbidden: Access is denied.',
    'You do not have permission to view this directory or page using the credentials that you supplied.',
  ],
  404: [
    '404 - File or directory not found.',
    'The resource you are looking for might have been removed, had its name changed, or is temporarily unavailable.',
  ],
  405: [
    '405 - HTTP verb used to access this page is not allowed.',
    'The page you are looking for cannot be displayed because an invalid method (HTTP verb) was used to attempt access.',
  ],
  412: [
    '412 - Precondition set by the client failed when evaluated on the Web server.',
    'The request was not completed due to preconditions that are set in the request header. Preconditions prevent the requested method from being applied to a resource other than the one intended. An example of a precondition is testing for expired content in the page cache of the client.',
  ],
  501: [
    '501 - Header values specify a method that is not implemented.',
    'The page you are looking for cannot be displayed because a header value in the request does not match certain configuration settings on the Web server. For example, a request header might specify a POST to a static file that cannot be posted to, or specify a Transfer-Encoding value that cannot make use of compression.',
  ],
}

/** For errors that httpErrors has no page for. */
const UNKNOWN_ERROR = 'The custom error module does not recognize this error.'

export function errorPage(status: number, { method }: Pick<RequestHead, 'method'>): HttpResponse {
  const texts = TEXTS[status]
  const body = texts ? pageText(...texts) : UNKNOWN_ERROR
  const page = { status, type: 'text/html' }
  return method === 'HEAD' ? { ...page, length: body.length } : { ...page, body }
}

const STYLE = [
  'html{background:#ececec;color:#222;font:75%/1.5 Verdana,"Segoe UI",Tahoma,Arial,sans-serif;}',
  'body{margin:0;padding:0;}',
  '#top{background:#4d4d4d;color:#fff;padding:8px 2%;}',
  '#top h1{font-family:"Trebuchet MS",Verdana,sans-serif;font-size:2.2em;font-weight:bold;margin:0;}',
  '#main{margin:10px 2%;padding:14px 18px;background:#fff;border:1px solid #c8c8c8;}',
  '#main h2{color:#b80000;font-size:1.6em;line-height:1.3;margin:0 0 8px 0;}',
  '#main h3{color:#000;font-size:1.15em;font-weight:bold;margin:0;max-width:70em;}',
  '@media print{html{background:#fff;}#top{background:#fff;color:#000;}}',
]
/** Of a page but for its heading, twice, and its sentence. */
const FRAME_CHARACTERS = 1_067

function pageText(heading: string, sentence: string): string {
  const page = (style: readonly string[]): string =>
    [
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
      '<html xmlns="http://www.w3.org/1999/xhtml">',
      '<head>',
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"/>',
      `<title>${heading}</title>`,
      '<style type="text/css">',
      ...style,
      '</style>',
      '</head>',
      '<body>',
      '<div id="top"><h1>Server Error</h1></div>',
      `<div id="main"><h2>${heading}</h2><h3>${sentence}</h3></div>`,
      '</body>',
      '</html>',
      '',
    ].join('\r\n')
  const missing = FRAME_CHARACTERS + 2 * heading.length + sentence.length - page(STYLE).length
  return missing > 0 ? page([...STYLE.slice(0, -1), `${STYLE.at(-1)}${' '.repeat(missing)}`]) : page(STYLE)
}
