// The probes that tftpd-hpa and our decoy answer alike. Each writes a file of its own: the real one keeps it.
import type { Probe } from '../../../test/probe.ts'
import { abort, ack, data, readRequest, words, writeRequest } from '../client.ts'

export const transport = 'udp'
export const concurrency = 8

/** Nothing is there; some are what scanners look for. */
export const MISSING = [
  ...[
    'none',
    '/none',
    'running-config',
    'boot.ini',
    'pxelinux.0',
    'pxelinux.cfg/default',
    'SEPDefault.cnf',
    'cisco.cfg',
  ],
  ...[
    '../../etc/passwd',
    '/etc/passwd',
    '..\\boot.ini',
    'C:\\boot.ini',
    'a/b/c',
    'x/..',
    'x/',
    '.x',
    '...',
    ' ',
    'a b',
  ],
  ...[
    '%s%n',
    '\xff\xfe',
    '\xc3\xbc',
    'a\nb',
    '\x01',
    '-',
    'l'.repeat(255),
    'l'.repeat(256),
    `${'l'.repeat(256)}/x`,
  ],
  ...[
    'x/'.repeat(2_040),
    'x/'.repeat(2_500),
    '/'.repeat(5_000),
    '.',
    '..',
    '/',
    '//',
    './',
    '../..',
    './../',
    '/./none',
  ],
]
export const MODES = [
  'octet',
  'OCTET',
  'Octet',
  'netascii',
  'NETASCII',
  'mail',
  'binary',
  'image',
  'octet ',
  '\xff',
]

const NUMBERS = [
  '0',
  '1',
  '7',
  '8',
  '9',
  '100',
  '255',
  '256',
  '511',
  '512',
  '513',
  '600',
  '1428',
  '9999',
  '10000',
]
const MORE_NUMBERS = [
  '65464',
  '65465',
  '65535',
  '65536',
  '70000',
  '1000000',
  '255000001',
  '18446744073709551615',
]
const ODD = [
  '18446744073709551616',
  '-1',
  '-0',
  '+16',
  ' 16',
  '\t16',
  '16 ',
  '016',
  '0x10',
  '1e3',
  'x',
  '',
  '-',
  '1.5',
]
export const VALUES = [...NUMBERS, ...MORE_NUMBERS, ...ODD]
export const NAMES = [
  'blksize',
  'blksize2',
  'tsize',
  'timeout',
  'rollover',
  'utimeout',
  'windowsize',
  'multicast',
  'x',
]

/** So that nobody waits for what is sent again in between. */
export const isFast = (name: string, value: string): boolean =>
  name === 'utimeout' && Number(value) < 1_000_000 && Number(value) > 9_999

let files = 0
const newFile = (): string => `new-${(files += 1)}`

const sent: readonly (readonly Buffer[])[] = [
  ...MISSING.flatMap((name) => [[readRequest(name)], [readRequest(name, 'netascii', [['blksize', '7']])]]),
  ...['.', '/', '..', 'x/y', 'z9/', 'l'.repeat(256), './'].map((name) => [writeRequest(name)]),
  ...MODES.flatMap((mode) => [
    [readRequest('lines', mode), ack(1)],
    [writeRequest(newFile(), mode), data(1, 'a\r\n')],
  ]),
  ...NAMES.flatMap((name) =>
    VALUES.filter((value) => !isFast(name, value)).map((value) => [
      writeRequest(newFile(), 'octet', [[name, value]]),
    ]),
  ),
  ...['0', '100', 'x'].flatMap((tsize) =>
    ['octet', 'netascii'].map((mode) => [readRequest('lines', mode, [['tsize', tsize]]), ack(0), ack(1)]),
  ),
  ...['8', '500', '512', '1024', '2000', '65464'].map((blksize) => [
    ...[readRequest('long', 'octet', [['blksize', blksize]]), ack(0), ack(1), ack(2), ack(3), ack(4)],
  ]),
  [readRequest('long'), ack(1), ack(2), ack(3), ack(4), ack(5), ack(6), ack(7), ack(8)],
  [readRequest('exact'), ack(1), ack(2), ack(3), ack(4)],
  [
    readRequest('exact', 'octet', [
      ['BlkSize', '1024'],
      ['TSIZE', '0'],
    ]),
    ack(0),
    ack(1),
    ack(2),
  ],
  [readRequest('empty'), ack(1)],
  [readRequest('empty', 'octet', [['tsize', '0']]), ack(0), ack(1)],
  [readRequest('/exact'), data(1, ''), ack(0), ack(1), ack(1), ack(2), ack(3)],
  [readRequest('exact'), ack(2), ack(1), ack(3), ack(2), ack(3)],
  [readRequest('../exact'), abort(0, 'enough'), ack(1)],
  [readRequest('./exact', 'octet', [['blksize', '600']]), ack(1), ack(0), ack(1), ack(2)],
  [readRequest('exact', 'octet', [['blksize', '600']]), data(0, 'over it'), ack(7), ack(0), ack(1)],
  [readRequest('exact', 'octet', [['blksize', '600']]), abort(8, 'no'), ack(0)],
  [readRequest('exact/x')],
  [readRequest('exact/')],
  [writeRequest(newFile()), data(1, 'x'.repeat(512)), data(2, 'y'), data(2, 'y'), data(2, 'y')],
  [writeRequest(newFile()), data(1, 'x'.repeat(512)), data(1, 'x'.repeat(512)), data(3, ''), data(2, '')],
  [writeRequest(newFile()), data(1, 'x'.repeat(600)), data(2, 'y'), data(2, 'y')],
  [writeRequest(newFile()), data(1, ''), ack(1), ack(1)],
  [writeRequest(newFile()), ack(1), data(0, ''), data(2, ''), abort(0, ''), data(1, '')],
  [writeRequest(newFile(), 'octet', [['blksize', '8']]), data(0, ''), data(1, '12345678'), data(2, '1')],
  [
    writeRequest(newFile(), 'octet', [
      ['blksize', '8'],
      ['tsize', '9'],
      ['timeout', '3'],
      ['rollover', '1'],
    ]),
    data(1, ''),
  ],
  [
    writeRequest(newFile(), 'octet', [
      ['blksize', '9'],
      ['blksize2', '100'],
      ['x', '1'],
      ['timeout', '0'],
    ]),
  ],
  ...[0, 3, 4, 5, 6, 7, 255, 256, 0x6f63].map((opcode) => [words(opcode, 'none', 'octet')]),
  ...['', '\0', '\0\x01', '\0\x02', '\0\x01\0', '\0\x01\0octet\0', '\0\x01none\0', '\0\x01none\0\0']
    .slice(1)
    .map((text) => [Buffer.from(text, 'latin1')]),
  [ack(0), data(1, ''), readRequest('none')],
  [Buffer.from('GET / HTTP/1.0\r\n\r\n')],
  [readRequest('none', 'octet'), ack(1), ack(2)],
]

export const probes: readonly Probe[] = sent.map((datagrams, at) => ({
  name: `${at} ${datagrams.map((datagram) => JSON.stringify(datagram.toString('latin1').slice(0, 40))).join(' ')}`,
  send: datagrams.map((datagram) => datagram.toString('latin1')),
}))
