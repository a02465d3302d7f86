// What a client may send to squid with Debian's configuration, which wants a password of everyone.
import type { Endurance } from '../../../test/endurance.ts'
import { ADDRESS_MASK, DATE_MASK, FIELDS, requestGrammar } from '../../http/requests.ts'
import { PROXY_FIELDS, TARGETS } from './targets.ts'

export const grammar = requestGrammar(
  [
    DATE_MASK,
    { name: 'date of the page', hide: (text) => text.replace(/(?<=<p>Generated ).*? GMT/g, 'D') },
    ADDRESS_MASK,
  ],
  { paths: TARGETS, fields: [...FIELDS, ...PROXY_FIELDS, ...PROXY_FIELDS] },
)

const request = 'GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n'

export const endurance: Endurance = {
  request,
  drips: [
    { name: 'a head', first: '', rest: `GET http://a/ HTTP/1.1\r\nHost: ${'a'.repeat(100)}` },
    { name: 'fields', first: 'GET http://a/ HTTP/1.1\r\n', rest: `Host: ${'a'.repeat(100)}` },
    {
      name: 'a body',
      first: 'POST http://a/ HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n',
      rest: 'a'.repeat(100),
    },
    { name: 'the next request', first: request, rest: request },
  ],
  hasHalfCrowd: true,
}
