// What a client may send to Debian's lighttpd with the files of the skin `router`.
import { DATE_MASK, enduranceOf, FIELDS, PATHS, requestGrammar, type Vocabulary } from '../requests.ts'

const ETAG = '"2381291474"'
const MODIFIED = 'Wed, 05 Nov 2025 07:42:36 GMT'

const vocabulary: Vocabulary = {
  paths: [
    ...PATHS,
    ...`/login.html /login.html /login.html /login.html? /login.html?x=y /login.html/ /login.html/x /%6cogin.html /denied.html
    /css/style.css /css/style.css/x /robots.txt/ /robots.txt~ /a.inc /css/. /css/.. /a%2f..%2fcss /css%2fstyle.css /%25 /?%zz /css?a%20b
    /css?<x>&%41=%2f%26 /index.html%3fx /css?%c3%bc+[] /robots.txt%20 /?%0a /%7f`.split(/\s+/),
  ],
  fields: [
    ...FIELDS,
    [
      'If-Modified-Since',
      [
        MODIFIED,
        'Wed, 05 Nov 2025 07:42:35 GMT',
        'Wednesday, 05-Nov-25 07:42:36 GMT',
        'Wed Nov  5 07:42:36 2025',
        'Wed, 5 Nov 2025 07:42:36 GMT',
        'Wed, 05 Nov 2025 07:42:36',
      ],
    ],
    ['If-None-Match', [ETAG, `W/${ETAG}`, `"a", ${ETAG}`, `"a",${ETAG} , "b"`, `${ETAG}x`]],
    ['If-Range', [ETAG, `W/${ETAG}`, MODIFIED]],
    [
      'Range',
      [
        'bytes=0-1,200-201',
        'bytes=200-201,0-1,82-83',
        'bytes=0-0,81-90,300-',
        'bytes= 3 - 5 ',
        'bytes=+3-5',
        'bytes=-5,0-1',
        'bytes=1-2x,5-6',
        'bytes=3--5',
      ],
    ],
    ['Connection', ['keep-alive, close', 'closed', 'TE, Keep-Alive']],
    ['HTTP2-Settings', ['AAMAAABkAAQAAP__']],
    ['X_y', ['z']],
  ],
}

export const grammar = requestGrammar([DATE_MASK], vocabulary)

export const endurance = enduranceOf('/login.html')
