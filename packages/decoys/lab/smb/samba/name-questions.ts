// Questions to the NetBIOS name service (RFC 1002, 4.2): of tools, of all names and kinds, and broken ones.
import { join, zeros } from '../../../src/windows/fields.ts'

const TYPE = { name: 0x20, status: 0x21 } as const
const SUFFIXES = [0x00, 0x01, 0x03, 0x1b, 0x1c, 0x1d, 0x1e, 0x20]
/** Without a wish, and as tools set them: recursion and broadcast. */
const FLAGS = [0x0000, 0x0110]

const be16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

export interface NameQuestion {
  readonly about: string
  readonly datagram: Buffer
}

interface Changes {
  readonly flags?: number
  readonly counts?: readonly [number, number, number, number]
  readonly type?: number
  readonly inClass?: number
  /** Behind the name: its scope, and the zero at its end. */
  readonly end?: Buffer
  readonly length?: number
  readonly rest?: Buffer
}

function question(name: string, suffix: number, changes: Changes = {}): Buffer {
  const { flags = 0, counts = [1, 0, 0, 0], type = TYPE.status, inClass = 1 } = changes
  const { end = zeros(1), length = 32, rest = zeros(0) } = changes
  const fill = name === '*' ? '\0' : ' '
  const bytes = Buffer.from(name.padEnd(15, fill) + String.fromCharCode(suffix), 'latin1')
  const letters = Buffer.from([...bytes].flatMap((byte) => [65 + (byte >> 4), 65 + (byte & 15)]))
  const head = join(be16(0), be16(flags), ...counts.map(be16))
  return join(head, Buffer.from([length]), letters, end, be16(type), be16(inClass), rest)
}

const hex = (value: number): string => value.toString(16).padStart(2, '0')

/** Each with the number of its place as its transaction id. */
export function nameQuestions(host: string, workgroup: string): readonly NameQuestion[] {
  const names = [host.toUpperCase(), workgroup, '*', '__SAMBA__', '\x01\x02__MSBROWSE__\x02', 'NOPE']
  const usual = names.flatMap((name) =>
    SUFFIXES.flatMap((suffix) =>
      Object.entries(TYPE).flatMap(([kind, type]) =>
        FLAGS.map((flags) => ({
          about: `${kind} of ${JSON.stringify(name)} ${hex(suffix)} flags ${hex(flags)}`,
          datagram: question(name, suffix, { type, flags }),
        })),
      ),
    ),
  )
  const whole = question('*', 0)
  const odd: readonly NameQuestion[] = [
    ...[0x00, 0x20].map((suffix) => ({
      about: `small letters ${hex(suffix)}`,
      datagram: question(host.toLowerCase(), suffix),
    })),
    { about: 'small letters, its name', datagram: question(host.toLowerCase(), 0, { type: TYPE.name }) },
    { about: 'a name that begins with *', datagram: question('*x', 0) },
    ...[0x0a, 0x01, 0xff, 0].map((type) => ({
      about: `type ${hex(type)}`,
      datagram: question('*', 0, { type }),
    })),
    ...[0, 2, 0xff].map((inClass) => ({
      about: `class ${hex(inClass)}`,
      datagram: question('*', 0, { inClass }),
    })),
    // Responses, registrations, releases, refreshes and waits of others; reserved kinds; what a header may say besides.
    ...[
      0x8000, 0x2800, 0x2910, 0x3000, 0x4000, 0x3800, 0x0800, 0x7800, 0x0400, 0x0200, 0x0080, 0x0060, 0x000f,
    ].map((flags) => ({ about: `flags ${hex(flags)}`, datagram: question('*', 0, { flags }) })),
    { about: 'no question', datagram: question('*', 0, { counts: [0, 0, 0, 0] }) },
    { about: 'two questions', datagram: question('*', 0, { counts: [2, 0, 0, 0] }) },
    { about: 'an answer', datagram: question('*', 0, { counts: [1, 1, 0, 0] }) },
    { about: 'something additional', datagram: question('*', 0, { counts: [1, 0, 0, 1] }) },
    { about: 'bytes behind it', datagram: question('*', 0, { rest: Buffer.from('more') }) },
    { about: 'a scope', datagram: question('*', 0, { end: Buffer.from('\x04office\0', 'latin1') }) },
    {
      about: 'a scope that is right',
      datagram: question('*', 0, { end: Buffer.from('\x06office\0', 'latin1') }),
    },
    { about: 'a name without its end', datagram: question('*', 0, { end: zeros(0) }) },
    ...[0, 16, 31, 33, 63, 0xc0].map((length) => ({
      about: `a name of ${length} letters`,
      datagram: question('*', 0, { length }),
    })),
    ...[0, 1, 11, 12, 13, 20, 45, 46, 47, 48, 49].map((length) => ({
      about: `the first ${length} bytes`,
      datagram: whole.subarray(0, length),
    })),
  ]
  return [...usual, ...odd].map(({ about, datagram }, number) => {
    const numbered = Buffer.from(datagram)
    be16(number).copy(numbered)
    return { about, datagram: numbered }
  })
}
