// What clients and scanners of SIP send, and what is none.

interface Parts {
  readonly method?: string
  readonly uri?: string
  readonly via?: string
  readonly cseq?: string
  readonly more?: readonly string[]
  readonly body?: string
}

/** A request with the headers that each has (RFC 3261, 8.1.1). */
export function request({
  method = 'OPTIONS',
  uri = 'sip:100@192.0.2.1',
  via,
  cseq,
  more = [],
  body = '',
}: Parts = {}) {
  return [
    `${method} ${uri} SIP/2.0`,
    `Via: ${via ?? 'SIP/2.0/UDP 198.51.100.7:5090;branch=z9hG4bK-776asdhds;rport'}`,
    'From: "sip" <sip:100@198.51.100.7>;tag=1928301774',
    'To: <sip:100@192.0.2.1>',
    'Call-ID: a84b4c76e66710@198.51.100.7',
    `CSeq: ${cseq ?? `314 ${method}`}`,
    'Contact: <sip:100@198.51.100.7:5090>',
    'Max-Forwards: 70',
    ...more,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

export const DIGEST =
  'Digest username="100",realm="asterisk",nonce="1700000000/abc",uri="sip:192.0.2.1",response="6629fae49393a05397450978507c4ef1",algorithm=md5'

/** nmap's probe. */
export const NMAP =
  'OPTIONS sip:nm SIP/2.0\r\nVia: SIP/2.0/TCP nm;branch=foo\r\nFrom: <sip:nm@nm>;tag=root\r\nTo: <sip:nm2@nm2>\r\nCall-ID: 50000\r\nCSeq: 42 OPTIONS\r\nMax-Forwards: 70\r\nContent-Length: 0\r\nContact: <sip:nm@nm>\r\nAccept: application/sdp\r\n\r\n'

const METHODS = 'OPTIONS REGISTER INVITE ACK BYE CANCEL SUBSCRIBE MESSAGE INFO REFER FOO'.split(' ')

export const REQUESTS: readonly string[] = [
  NMAP,
  ...METHODS.map((method) => request({ method })),
  request({ method: 'REGISTER', more: [`Authorization: ${DIGEST}`, 'Contact: *', 'Expires: 0'] }),
  request({ method: 'INVITE', body: 'v=0\r\no=- 0 0 IN IP4 198.51.100.7\r\n' }),
  request({ cseq: '1 INVITE' }),
  request({ uri: 'nothing' }),
  request({ more: ['Content-Length: 7'] }),
  request({ more: ['Max-Forwards: 0'] }),
  request({ more: [`X: ${'a'.repeat(3_000)}`] }),
  'OPTIONS sip:a SIP/2.0\r\nv: SIP/2.0/UDP a\r\nf: sip:a@b;tag=c\r\nt: sip:a@b\r\ni: 1\r\nCSeq: 1\r\n OPTIONS\r\nl: 0\r\n\r\n',
  '\r\n\r\n',
  'SIP/2.0 200 OK\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
]
