// The questions that net-snmp 5.9.3 with Debian's snmpd.conf and our decoy answer alike.
import { element, integer, octets, TAG } from '../../../src/services/snmp/protocol/ber.ts'
import { PDU } from '../../../src/services/snmp/protocol/message.ts'
import type { Probe } from '../../../test/probe.ts'
import { binding, message, NULL, pdu, userMessage } from '../client.ts'
import { NAMES } from './names.ts'

export const concurrency = 8
export const transport = 'udp'

const NAME = '1.3.6.1.2.1.1.5.0'
const probe = (name: string, bytes: Buffer): Probe => ({ name, send: [bytes.toString('latin1')] })
const ask = (tag: number, names: readonly string[], more?: readonly [number, number, number], version = 1) =>
  message(
    version,
    'public',
    pdu(
      tag,
      names.map((name) => binding(name)),
      more,
    ),
  )

const byName = NAMES.flatMap((name) =>
  [0, 1].flatMap((version) => [
    probe(`v${version} get ${name}`, ask(PDU.get, [name], undefined, version)),
    probe(`v${version} next ${name}`, ask(PDU.getNext, [name], undefined, version)),
  ]),
)

const bulks = [
  ...[
    [0, 0],
    [0, 1],
    [1, 2],
    [5, 5],
    [-1, 5],
    [0, -1],
    [2, 0],
    [0, 8],
  ],
].flatMap(([once = 0, times = 0]) =>
  [
    ['1.3.6.1.2.1.1', '1.3.6.1.2.1.25.1'],
    ['1.3.6.1.2.1.25.1.6'],
    ['1.3.6.1.2.1.25.1.6', '1.3.6.1.2.1.1'],
    ['1.3.6.1.2.1.1', '1.3.6.1.2.1.25.1.6'],
    [],
  ].map((names) => probe(`bulk ${once} ${times} ${names.join()}`, ask(PDU.getBulk, names, [3, once, times]))),
)

const values: readonly [string, Buffer][] = [
  ['octets', octets('x')],
  ['integer', integer(5)],
  ['null', NULL],
  ['gauge', integer(5, TAG.gauge32)],
  ['address', element(TAG.address, Buffer.from([1, 2, 3, 4]))],
  ['address of five', element(TAG.address, Buffer.from([1, 2, 3, 4, 5]))],
  ['unknown type', element(0x99, Buffer.from([1]))],
]
const sets = [0, 1].flatMap((version) =>
  values.map(([name, value]) =>
    probe(`v${version} set ${name}`, message(version, 'public', pdu(PDU.set, [binding(NAME, value)]))),
  ),
)

const good = ask(PDU.get, [NAME])
const changed = (at: number, ...bytes: number[]): Buffer =>
  Buffer.concat([good.subarray(0, at), Buffer.from(bytes), good.subarray(at + 1)])
const odd: readonly [string, Buffer][] = [
  ['another community', message(1, 'private', pdu(PDU.get, [binding(NAME)]))],
  ['no community', message(1, '', pdu(PDU.get, [binding(NAME)]))],
  ['version 2', message(2, 'public', pdu(PDU.get, [binding(NAME)]))],
  ['trap', ask(0xa4, [NAME])],
  ['inform', ask(0xa6, [NAME])],
  ['response', ask(PDU.response, [NAME])],
  ['two names in v1', ask(PDU.get, [NAME, '1.3.6.1.9.9'], undefined, 0)],
  ['two names', ask(PDU.get, [NAME, '1.3.6.1.9.9'])],
  ['no name', ask(PDU.get, [])],
  ['negative request', ask(PDU.get, [NAME], [-5, 0, 0])],
  ['status', ask(PDU.get, [NAME], [1, 5, 7])],
  ['trailing bytes', Buffer.concat([good, Buffer.from('abc')])],
  ['cut off', good.subarray(0, -1)],
  ['one byte', good.subarray(0, 1)],
  ['indefinite length', changed(1, 0x80)],
  ['length of two bytes', changed(1, 0x82, 0, good[1]!)],
  ['length of five bytes', changed(1, 0x85, 0, 0, 0, 0, good[1]!)],
  ['length of nine bytes', changed(1, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, good[1]!)],
  ['length too short', changed(1, good[1]! - 3)],
  ['length too long', changed(1, good[1]! + 3)],
  ['nested sequences', Buffer.from('307e'.repeat(128), 'hex')],
  [
    'an arc over 2^32',
    message(
      1,
      'public',
      pdu(PDU.get, [element(0x30, Buffer.from('0608 2b06 0190 8080 8000'.replaceAll(' ', ''), 'hex'), NULL)]),
    ),
  ],
  [
    'an arc that does not end',
    message(1, 'public', pdu(PDU.get, [element(0x30, Buffer.from('06022b86', 'hex'), NULL)])),
  ],
  ['128 arcs', ask(PDU.get, [`1.3.${Array(126).fill('1').join('.')}`])],
  ['129 arcs', ask(PDU.get, [`1.3.${Array(127).fill('1').join('.')}`])],
  ['a binding without a value', message(1, 'public', pdu(PDU.get, [element(0x30, octets(''))]))],
  ['discovery', userMessage(pdu(PDU.get, []))],
  ['discovery by a name', userMessage(pdu(PDU.get, []), { user: 'root' })],
  ['discovery without a flag', userMessage(pdu(PDU.get, []), { flags: 0 })],
  ['encryption without authentication', userMessage(pdu(PDU.get, []), { flags: 2 })],
  ['another model', userMessage(pdu(PDU.get, []), { model: 1 })],
  ['a small message', userMessage(pdu(PDU.get, []), { mostBytes: 483 })],
  ['a long name', userMessage(pdu(PDU.get, []), { user: 'x'.repeat(33) })],
  ['a negative id', userMessage(pdu(PDU.get, []), { messageId: -1 })],
  ['a trap of v3', userMessage(pdu(0xa7, [binding(NAME)]))],
  ['no PDU', userMessage(NULL, { scoped: Buffer.from('junk') })],
  [
    'another engine',
    userMessage(pdu(PDU.get, [binding(NAME)]), { engineId: Buffer.from('8000000001', 'hex'), user: 'x' }),
  ],
]

export const probes: readonly Probe[] = [
  ...byName,
  ...bulks,
  ...sets,
  ...odd.map(([name, bytes]) => probe(name, bytes)),
]
