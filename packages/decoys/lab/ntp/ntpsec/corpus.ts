// The probes that ntpd of ntpsec and our decoy answer alike, but for what the mask hides.
import type { Probe } from '../../../test/probe.ts'
import { control, old, time } from '../client.ts'

export const transport = 'udp'
export const concurrency = 8

export const NAMES =
  'leap stratum precision rootdelay rootdisp refid reftime tc peer offset frequency sys_jitter clk_jitter clock processor system version clk_wander mintc'.split(
    ' ',
  )
export const LISTS = [
  ...[
    '',
    ',',
    ',,',
    ' ',
    '\t,',
    '\r\n',
    '=',
    '=1',
    'foo',
    'LEAP',
    'lea',
    'leap ',
    ' leap',
    'leap\0',
    'leap =3',
    '"leap"',
  ],
  ...[
    'leap=3',
    'leap=',
    'leap==',
    'leap,leap',
    'leap,foo',
    'foo,leap',
    'leap,',
    ',leap',
    'leap stratum',
    'leap;stratum',
  ],
  ...[
    'leap, \r\nversion',
    'leap ,version',
    'version="a,b",leap',
    'version=a,leap=b',
    '\xff',
    'leap\xff',
    'x'.repeat(400),
  ],
  ...[
    'processor,system,version',
    'version,processor,mintc,leap',
    NAMES.join(),
    NAMES.join(', '),
    'a,b,c',
    '__proto__',
  ],
]
const numbers = (below: number): readonly number[] => Array.from({ length: below }, (_, n) => n)

const sent: readonly Buffer[] = [
  ...numbers(32).flatMap((opcode) => [control(opcode), control(opcode, { association: 1 })]),
  ...numbers(13).map((opcode) => control(opcode, { data: 'leap', association: 65_535 })),
  ...numbers(13).map((opcode) => control(opcode, { data: 'leap', sequence: 0xfffe })),
  ...NAMES.map((data) => control(2, { data })),
  ...NAMES.slice(1).map((name, at) => control(2, { data: `${name}, ${NAMES[at]}=` })),
  ...LISTS.map((data) => control(2, { data })),
  ...numbers(8).flatMap((version) => numbers(6).map((mode) => time(version, mode, { sent: 'abcdefgh' }))),
  ...numbers(8).map((version) => control(2, { version })),
  ...numbers(4).flatMap((leap) => [control(2, { leap }), time(4, 3, { leap, sent: '\xff\xfe' })]),
  ...[1, 2, 4, 12, 24, 44, 47, 49, 50, 52, 56, 64, 68, 72, 100, 300].map((length) => time(4, 3, { length })),
  ...[-128, -1, 0, 1, 3, 4, 10, 17, 18, 127].map((poll) => time(4, 3, { poll, sent: 'now' })),
  ...[1, 2, 3, 4, 5, 6, 7].map((flags) => control(2, { flags: flags << 5 })),
  ...[1, 4, 468, 65_535].map((offset) => control(2, { data: 'leap', offset })),
  ...[0, 1, 3, 5, 8, 9, 480, 65_535].map((count) => control(2, { data: 'leap,tc', count })),
  ...[0, 1, 2, 3, 5, 6, 8, 12].map((padding) => control(2, { data: 'leap', padding })),
  ...numbers(12)
    .map((length) => control(2).subarray(0, length))
    .slice(1),
  ...[0, 1, 20, 42, 255].flatMap((request) => [old(request), old(request, 2, 48), old(request, 2, 4)]),
  ...[0x1234, 0xffff].map((status) => control(2, { status })),
  Buffer.from('\r\n\r\n'),
  Buffer.from('GET / HTTP/1.0\r\n\r\n'),
]

export const probes: readonly Probe[] = [...new Map(sent.map((it) => [it.toString('hex'), it])).values()].map(
  (datagram) => ({ name: datagram.toString('hex').slice(0, 120), send: [datagram.toString('latin1')] }),
)
