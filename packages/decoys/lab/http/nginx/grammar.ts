// What a client may send to Debian's nginx with the files of the skin `portal` or `nginx-default`.
import {
  ADDRESS_MASK,
  DATE_MASK,
  enduranceOf,
  FIELDS,
  PATHS,
  requestGrammar,
  type Vocabulary,
} from '../requests.ts'

const ETAG = '"69943588-46a"'

const vocabulary: Vocabulary = {
  paths: [
    ...PATHS,
    ...`/login /login /login /login /login? /login?next=/ /login/ /Login /%6cogin /css/portal.css /index.nginx-debian.html /css/.
    /css/.. /a%2f..%2fcss /css%2fportal.css /css/portal.css%20 /%25 /?%zz /index.html%3fx /nginx_status /a//b/../../robots.txt`.split(
      /\s+/,
    ),
  ],
  fields: [
    ...FIELDS,
    [
      'If-Modified-Since',
      [
        'Tue, 17 Feb 2026 09:31:52 GMT',
        'Tue, 17 Feb 2026 09:31:53 GMT',
        'Tuesday, 17-Feb-26 09:31:52 GMT',
        'Tue Feb 17 09:31:52 2026',
      ],
    ],
    ['If-Unmodified-Since', ['Tue, 17 Feb 2026 09:31:52 GMT', 'Tue, 17 Feb 2026 09:31:51 GMT', 'x']],
    ['If-None-Match', [ETAG, `W/${ETAG}`, `"a", ${ETAG}`, `"a",${ETAG} , "b"`]],
    ['If-Match', [ETAG, `W/${ETAG}`]],
    ['If-Range', [ETAG, 'Tue, 17 Feb 2026 09:31:52 GMT', `W/${ETAG}`]],
    [
      'User-Agent',
      [
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36',
        'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)',
      ],
    ],
    ['Via', ['1.1 proxy']],
    ['Connection', ['Keep-Alive, Upgrade', 'closed']],
    ['Range', ['bytes=0-,0-', 'bytes= 3 - 5 ', 'bytes=-2000,0-1', 'bytes=0-0,5000-']],
    ['X_y', ['z']],
  ],
}

export const grammar = requestGrammar(
  [
    DATE_MASK,
    { name: 'boundary of ranges', hide: (text) => text.replace(/(?<=--|boundary=)\d{20}/g, 'BOUNDARY') },
    ADDRESS_MASK,
  ],
  vocabulary,
)

export const endurance = enduranceOf('/login')
