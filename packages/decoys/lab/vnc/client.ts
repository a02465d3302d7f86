// What a client of RFB sends; latin1, one character a byte.

export const version = (minor: number, major = 3): string =>
  `RFB ${String(major).padStart(3, '0')}.${String(minor).padStart(3, '0')}\n`

export const VNC_AUTH = '\x02'
export const VENCRYPT = '\x13'

export const RESPONSE = '0123456789abcdef'

/** Versions in forms that `sscanf` takes, and that it does not; 12 bytes each. */
export const VERSIONS = [
  ...[3, 7, 8].flatMap((minor) => [version(minor), version(minor), version(minor)]),
  ...[0, 1, 2, 4, 5, 6, 9, 10, 99, 889, 999].map((minor) => version(minor)),
  ...[0, 1, 2, 4, 5, 100, 999].map((major) => version(8, major)),
  version(8).replace('\n', '\r'),
  version(8).replace('\n', '\0'),
  version(8).replace('\n', 'x'),
  'RFB 3.8\n    ',
  'RFB 3.8\nabcd',
  'RFB   3.  8\n',
  'RFB 03.08\n  ',
  'RFB +03.+08\n',
  'RFB -03.008\n',
  'RFB 003.-08\n',
  'RFB 003. 08\n',
  'RFB 003 .08\n',
  'RFB 003.\n   ',
  'RFB 003.x08\n',
  'RFB 0x3.008\n',
  'RFB 003,008\n',
  'RFB003.008\n\n',
  'RFB\n003.008\n',
  'RFB\t003.008\n',
  'RFB 0003.08\n',
  'RFB 003.0008',
  'RFB 3.1234  ',
  ' RFB 003.008',
  'rfb 003.008\n',
  'RFB 003.008 ',
  'RFC 003.008\n',
]

export const JUNK = [
  'GET / HTTP/1.0\r\n\r\n',
  '\r\n\r\n\r\n\r\n\r\n\r\n',
  '\0'.repeat(12),
  '\xff'.repeat(12),
  'SSH-2.0-OpenSSH_9.2\r\n',
  'HELP\r\n',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03abcd',
]

const subType = (number: number): string =>
  String.fromCharCode((number >>> 24) & 255, (number >>> 16) & 255, (number >>> 8) & 255, number & 255)

export const SUB_TYPES = [0, 1, 2, 19, 256, 257, 259, 260, 262, 263, 264, 0xffff_ffff].map(subType)
