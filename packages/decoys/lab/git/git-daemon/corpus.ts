// The probes that git daemon and our decoy answer alike.
import type { Probe } from '../../../test/probe.ts'
import { packet } from '../../../src/services/git/protocol/codec.ts'
import { request } from '../client.ts'

/** The real one serves 32 at a time. */
export const concurrency = 8

export const COMMANDS = ['upload-pack', 'receive-pack', 'upload-archive']
export const PATHS = [
  ...[
    '/',
    '/r.git',
    '/infrastructure.git',
    '/a/b/c',
    '/..',
    '/../etc/passwd',
    '/./a',
    '//',
    '/a//b',
    'r.git',
  ],
  ...[
    '',
    ' ',
    '~root/r.git',
    '~/r',
    '/~root',
    '/a b',
    '/%2e%2e',
    '/%s%n',
    '/\xff\xfe',
    '/\xc3\xbc.git',
    "/'",
    '/a\n',
  ],
  ...['/a\nb', '/a\r', '/.git', '/r.git/', '--help', '/a'.repeat(300), `/${'x'.repeat(5_000)}`],
]
export const HOSTS = [
  ...[
    'a.example',
    'a.example:9418',
    '127.0.0.1',
    '[::1]',
    '[::1]:9418',
    '[::1',
    '[::1]x',
    '[]',
    ':',
    '',
    'A:b:c',
  ],
  ...['../..', '\xff', 'x'.repeat(300), 'a b', '.', '-', 'host=b'],
]
export const EXTRAS: readonly (readonly string[])[] = [
  ['version=2'],
  ['version=1'],
  ['version=0'],
  ['version=99'],
  ['version='],
  ['a=b', 'version=2'],
  ['', 'version=1'],
  ['object-format=sha256'],
]

/** No requests, or none that it knows. */
export const JUNK: readonly string[] = [
  ...['', '0', '000', '0000', '0001', '0002', '0003', '0004', '0005\n', '0006a', '000Aabcdef', '000aabcdef'],
  ...[
    'fff0',
    'fff3',
    'fff4',
    'ffff',
    'FFFF',
    'zzzz',
    '-001',
    '+004',
    ' 004',
    '0x04',
    '\0\0\0\0',
    '\xff\xff\xff\xff',
  ],
  ...[
    'GET / HTTP/1.0\r\n\r\n',
    'SSH-2.0-x\r\n',
    '\r\n\r\n',
    'HELP\r\n',
    'EHLO a\r\n',
    '\x16\x03\x01\0\xa5\x01',
  ],
  ...['00000000', '0000git', '00030000', '0004x', '0001version=2'],
  ...['git-upload-pack', 'git-upload-pack ', 'git-upload-pack\t/a', 'upload-pack /a', 'git-upload-packs /a'],
  ...[
    'GIT-UPLOAD-PACK /a',
    'git-Upload-Pack /a',
    ' git-upload-pack /a',
    'git-shell /a',
    'git upload-pack /a',
  ],
  ...[
    'git-upload-pack /a\0garbage',
    'git-upload-pack /a\0host=b\0version=2',
    'git-upload-pack /a\0\0version=2',
  ],
  ...[
    'git-upload-pack /a\0HOST=b\0',
    'git-upload-pack /a\0host=b',
    'git-upload-pack /a\0hosts=b\0',
    'git-upload-pack\0/a',
  ],
  ...[
    'git-upload-pack /a\n',
    'git-upload-pack /a\n\n',
    'git-upload-pack /a\n\0host=b\0',
    'git-receive-pack  /a',
    '\n',
  ],
].flatMap((text) => (/^(git|GIT|upload| git|\n)/.test(text) ? [packet(text)] : [text]))

const named = (sent: readonly (readonly string[])[]): readonly Probe[] =>
  [...new Map(sent.map((send) => [JSON.stringify(send).slice(0, 200) + send.join('').length, send]))].map(
    ([name, send]) => ({ name, send }),
  )

export const probes: readonly Probe[] = named([
  ...COMMANDS.flatMap((command) => PATHS.map((path) => [request(command, path, 'a.example')])),
  ...COMMANDS.flatMap((command) => HOSTS.map((host) => [request(command, '/r.git', host, ['version=2'])])),
  ...EXTRAS.flatMap((more) => [
    [request('upload-pack', '/r', 'b', more)],
    [request('upload-pack', '/r', undefined, more)],
  ]),
  ...JUNK.map((junk) => [junk]),
  // Input that it does not read: a reset.
  ...[...PATHS.slice(0, 10), '/x'].map((path) => [request('upload-pack', path, 'a') + '0000']),
  ...JUNK.slice(2, 30).map((junk) => [junk + request('upload-pack', '/r', 'a')]),
  ...PATHS.slice(0, 20).map((path) => [...request('receive-pack', path, 'a').match(/.{1,9}/gs)!]),
  ...[65_400, 65_470, 65_471, 65_472, 65_473, 65_474, 65_475, 65_480, 65_500, 65_503].map((length) => [
    packet(`git-upload-pack /${'y'.repeat(length - 17)}`.slice(0, 65_519)),
  ]),
  ...PATHS.map((path) => [request('upload-pack', `${path}.git`, 'git.corp:9418', ['version=2'])]),
  ...[1, 2, 3, 5, 20, 40].map((cut) => [request('upload-pack', '/r.git', 'a.example').slice(0, cut)]),
])
