// Garbage at ports of strangers: the link, the decoys, and the listeners of token channels.
import { createSocket } from 'node:dgram'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { mysqlLogin, postgresStart } from '@rookery/tokens/client-logins.ts'
import { encode } from 'dns-packet'
import { WebSocket } from 'ws'
import {
  ENCRYPT,
  login,
  oldLogin,
  packet,
  prelogin,
  TYPE,
} from '../../../packages/decoys/lab/mssql/client.ts'
import { encodeFrame } from '../../../packages/decoys/src/services/smb/protocol/codec/frame.ts'
import { COMMAND, writeHeader } from '../../../packages/decoys/src/services/smb/protocol/codec/header.ts'
import { negotiateBody, setupBody } from '../../../packages/decoys/lab/smb/windows/client.ts'
import { initToken, negotiateToken } from '../../../packages/decoys/lab/windows/ntlm-client.ts'
import { request as gitRequest } from '../../../packages/decoys/lab/git/client.ts'
import { REQUESTS as modbusRequests } from '../../../packages/decoys/lab/modbus/requests.ts'
import { control, old as oldNtp, time } from '../../../packages/decoys/lab/ntp/client.ts'
import {
  DIGEST,
  request as sipRequest,
  REQUESTS as sipRequests,
} from '../../../packages/decoys/lab/sip/requests.ts'
import { binding, message, pdu, userMessage } from '../../../packages/decoys/lab/snmp/client.ts'
import { ack, readRequest, writeRequest } from '../../../packages/decoys/lab/tftp/client.ts'
import type { Dice } from './dice.ts'

type Beginnings = readonly (string | Buffer)[]

const HTTP: Beginnings = [
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nusername=a&password=b',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n',
]

/** A message of SMB2 without a session, as the first ones are. */
const smb = (command: number, body: Buffer, messageId: bigint): Buffer => {
  const ids = { creditCharge: 1, credits: 1, processId: 0, treeId: 0, sessionId: 0n, asyncId: 0n }
  const head = writeHeader({ ...ids, status: 0, command, flags: 0, nextCommand: 0, messageId })
  return encodeFrame(Buffer.concat([head, body]))
}
const NEGOTIATE = smb(COMMAND.negotiate, negotiateBody([0x0202, 0x0210, 0x0302, 0x0311]), 0n)

/** Of RFC 1002, 4.3.2: the name of any file server, and that of the caller. */
const SESSION_REQUEST = Buffer.from(
  `81000044 20${'43'.repeat(32)}00 20${'41'.repeat(32)}00`.replaceAll(' ', ''),
  'hex',
)
/** Of RFC 1002, 4.2.17. */
const NODE_STATUS = Buffer.from(
  `000100000001000000000000 2043${'4b41'}${'41'.repeat(29)}00 00210001`.replaceAll(' ', ''),
  'hex',
)

const MYSQL: Beginnings = [
  mysqlLogin({ user: 'root', attributes: { _os: 'Linux' } }),
  // The beginning of a login that is long.
  Buffer.from('ffffff0184a20a00', 'hex'),
]

const TDS_LOGIN = packet(TYPE.login, login())
const TDS: Beginnings = [
  packet(TYPE.prelogin, prelogin({ encryption: ENCRYPT.off })),
  Buffer.concat([packet(TYPE.prelogin, prelogin()), TDS_LOGIN]),
  TDS_LOGIN,
  packet(TYPE.login, login({ sspi: negotiateToken() })),
  packet(TYPE.oldLogin, oldLogin()),
  // Questions to its browser service.
  '\x02',
  '\x04MSSQLSERVER\0',
]

/** Of a name in the zone, with a second one behind it. */
const QUERIES = ['abc.tokens.localhost', '_acme-challenge.tokens.localhost', 'x.nx.tokens.localhost'].flatMap(
  (name) =>
    (['A', 'TXT'] as const).map((type) => encode({ type: 'query', id: 7, questions: [{ name, type }] })),
)
/** Behind its length (RFC 1035, 4.2.2). */
const inFrame = (message: Buffer): Buffer =>
  Buffer.concat([Buffer.from([message.length >> 8, message.length & 0xff]), message])

const QUESTION = pdu(0xa0, [binding('1.3.6.1.2.1.1.1.0'), binding('1.3.6.1.2.1.1.5.0')])
const SNMP: Beginnings = [
  ...[0, 1].map((version) => message(version, 'public', QUESTION)),
  message(1, 'public', pdu(0xa5, [binding('1.3')], [1, 0, 100_000])),
  message(1, 'private', pdu(0xa3, [binding('1.3.6.1.2.1.1.5.0')])),
  userMessage(QUESTION),
  // Sequences within each other, and one without an end.
  Buffer.from('307e'.repeat(128), 'hex'),
  Buffer.from('3080020101', 'hex'),
]

/** What the protocol of a service or a channel begins with, to be spoiled; bytes alone are refused too soon to be a test. */
export const BEGINNINGS: Readonly<Record<string, Beginnings>> = {
  http: HTTP,
  https: HTTP,
  redis: [
    '*2\r\n$4\r\nAUTH\r\n$4\r\nroot\r\n',
    '*-1\r\n$99999999999\r\n',
    '*1000000\r\n',
    // Keys are stolen, and written as bytes.
    'REPLCONF capa eof\r\nPSYNC ? -1\r\n',
    'SYNC\r\nREPLCONF ACK 0\r\n',
    'XADD s * a b\r\nXINFO STREAM s FULL\r\nDUMP s\r\nMEMORY USAGE s\r\n',
    Buffer.from(
      '*5\r\n$7\r\nRESTORE\r\n$1\r\nk\r\n$1\r\n0\r\n$17\r\n\x00\x05hello\x0a\x00cr\xdfve4 \x0a\r\n$7\r\nREPLACE\r\n',
      'latin1',
    ),
  ],
  git: [gitRequest('upload-pack', '/r.git', 'x', ['version=2']), '0000', '0001', '0003', 'ffff'],
  httpproxy: [
    'GET http://a.example/ HTTP/1.1\r\nProxy-Authorization: Basic YTpi\r\n\r\n',
    'CONNECT [::1]:22 HTTP/1.1\r\n\r\n',
    'CONNECT a.example:70000 HTTP/1.1\r\n\r\n',
    'GET cache_object://localhost/info HTTP/1.0\r\n\r\n',
  ],
  modbus: [...modbusRequests, Buffer.from('0001000000000103', 'hex'), Buffer.from('00010000ffff0103', 'hex')],
  ntp: [control(2), control(1, { version: 4 }), time(4, 3), oldNtp(42)],
  sip: [...sipRequests, sipRequest({ method: 'REGISTER', more: ['Contact: *', `Authorization: ${DIGEST}`] })],
  snmp: SNMP,
  tcpbanner: ['HELO a\r\n', '@PJL INFO ID\r\n', 'GET / HTTP/1.0\r\n\r\n'],
  tftp: [
    readRequest('startup-config', 'octet', [['blksize', '0']]),
    writeRequest('a', 'netascii', [['tsize', '99999999']]),
    '\0\x02name without its NUL',
    ack(1),
  ],
  ftp: ['USER root\r\nPASS toor\r\nQUIT\r\n', 'USER \r\nPASS\r\nPORT 1,2,3,4,5,6,7\r\n'],
  dbsrv_a: TDS,
  dbsrv_b: MYSQL,
  'dns by UDP': QUERIES,
  'dns by TCP': [...QUERIES.map(inFrame), Buffer.concat(QUERIES.map(inFrame)), Buffer.from([0xff, 0xff])],
  mysql: MYSQL,
  postgres: [postgresStart({ user: 'postgres', database: 'crm' })],
  ssh: ['SSH-2.0-OpenSSH_9.9\r\n', 'SSH-1.5-x\r\n'],
  telnet: [
    Buffer.from(
      '\xff\xfe%\xff\xfe&\xff\xfc\x18\xff\xfc \xff\xfc#\xff\xfc\'\xff\xfc$\xff\xfb"\xff\xfb\x1froot\r\n',
      'latin1',
    ),
  ],
  vnc: ['RFB 003.008\n\x02', 'RFB 003.008\n\x13\0\x02\0\0\x01\x02', 'RFB 003.003\n0123456789abcdef'],
  smb: [
    NEGOTIATE,
    Buffer.concat([NEGOTIATE, smb(COMMAND.sessionSetup, setupBody(initToken(negotiateToken())), 1n)]),
    SESSION_REQUEST,
    Buffer.concat([SESSION_REQUEST, NEGOTIATE]),
    NODE_STATUS,
  ],
}
const OF_ANY: Beginnings = [...Object.values(BEGINNINGS).flat(), '']

/** Bytes with which a session might begin, of the service or channel if one is named; some are changed, and more follow. */
export function garbage(dice: Dice, service = ''): Buffer {
  const own = BEGINNINGS[service] ?? OF_ANY
  const beginnings = dice.between(0, 3) > 0 ? own : OF_ANY
  const bytes = Buffer.concat([
    Buffer.from(beginnings[dice.between(0, beginnings.length - 1)] ?? ''),
    Buffer.from(Array.from({ length: dice.between(0, 200) }, () => dice.between(0, 255))),
    dice.between(0, 50) === 0 ? Buffer.alloc(dice.between(10_000, 300_000), 'A') : Buffer.alloc(0),
  ])
  for (let n = dice.between(0, 4); n > 0 && bytes.length > 0; n--)
    bytes[dice.between(0, bytes.length - 1)] = dice.between(0, 255)
  return bytes
}

const PATIENCE_MS = 150
/** A process that serves is late on a busy machine: its handshake may take so long. */
const CONNECT_MS = 20_000
/** A port without TLS says nothing to a handshake. */
const LOOK_MS = 5_000
/** What fits into a datagram of IPv4. */
const MAX_DATAGRAM = 65_000

/** Sends it, reads the answer for a moment, and disconnects; rejects when no process listens. */
export const sendGarbage = (port: number, bytes: Buffer): Promise<void> =>
  converse(connect(port, '127.0.0.1'), 'connect', bytes)

/** The same behind a handshake of TLS. */
export const sendInsideTls = (port: number, bytes: Buffer, connectMs = CONNECT_MS): Promise<void> =>
  converse(
    connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false }),
    'secureConnect',
    bytes,
    connectMs,
  )

/** Rejects unless the connection comes as far as the event. */
function converse(
  socket: Socket,
  opened: 'connect' | 'secureConnect',
  bytes: Buffer,
  connectMs = CONNECT_MS,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOpen = false
    const patience = setTimeout(() => socket.destroy(), connectMs)
    socket.once(opened, () => {
      isOpen = true
      socket.write(bytes)
      clearTimeout(patience)
      setTimeout(() => socket.destroy(), PATIENCE_MS)
    })
    socket.on('data', () => undefined)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(patience)
      if (isOpen) resolve()
      else reject(new Error(`The connection was not opened within ${connectMs} ms: ${opened} is missing.`))
    })
  })
}

/** Whether a listener takes part in a handshake of TLS. */
export const speaksTls = (port: number): Promise<boolean> =>
  sendInsideTls(port, Buffer.from('\r\n'), LOOK_MS).then(
    () => true,
    () => false,
  )

/** A datagram that nobody answers for. */
export const sendDatagram = (port: number, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.on('error', () => undefined)
    socket.send(bytes.subarray(0, MAX_DATAGRAM), port, '127.0.0.1', () => socket.close(() => resolve()))
  })

/** A Bird that speaks nonsense: messages of any length instead of a handshake. */
export function sendToLink(port: number, dice: Dice): Promise<void> {
  const messages = Array.from({ length: dice.between(1, 5) }, () => garbage(dice))
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/bird/v1/link`, { perMessageDeflate: false })
    const timer = setTimeout(() => socket.terminate(), PATIENCE_MS * 4)
    socket.on('error', () => undefined)
    socket.on('open', () => {
      for (const message of messages) socket.send(message, { binary: dice.between(0, 3) > 0 })
    })
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
