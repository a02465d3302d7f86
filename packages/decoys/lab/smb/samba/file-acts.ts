// Requests on the files of the share.
import type { Draw } from '../../../test/draw.ts'
import { join, u16, u32, u64, zeros } from '../../../src/windows/fields.ts'
import {
  breakBody,
  closeBody,
  findBody,
  flushBody,
  ioctlBody,
  lockBody,
  notifyBody,
  queryBody,
  readBody,
  setBody,
  writeBody,
  type Wishes,
} from './bodies.ts'
import { act, create, fileOf, type Act } from './client.ts'

export interface Place {
  readonly files: readonly string[]
  readonly folders: readonly string[]
  readonly users: readonly string[]
}

const ODD_NAMES = [
  'nope.txt',
  'nope\\x',
  '.',
  '..',
  '..\\x',
  'a*b',
  'a?b',
  'a:b',
  'a|b',
  'a\x01b',
  'CON',
  ' x',
  'x ',
  'x.',
  'a\0b',
  '\\x',
  'x/',
  '/x',
  'x'.repeat(255),
  'x'.repeat(256),
  'über.txt',
  '\ud800',
  'a"b',
  'desktop.ini',
  'Thumbs.db',
  '.hidden',
  'x\\\\y',
]

const cased = (draw: Draw, text: string): string =>
  draw.pick([text, text, text, text.toUpperCase(), text.toLowerCase()])

export function drawName(draw: Draw, { files, folders }: Place): string {
  const kind = draw.int(20)
  if (kind < 9) return cased(draw, draw.pick(files))
  if (kind < 14) return cased(draw, draw.pick(folders))
  const some = draw.pick([draw.pick(files), draw.pick(folders)])
  switch (kind) {
    case 14:
      return `${some}\\`
    case 15:
      return some.replaceAll('\\', draw.pick(['/', '\\\\']))
    case 16:
      return `${some}${draw.pick([':x', '::$DATA', '\\x', '\\..', '\\.', '.', ' ', '\\..\\nope'])}`
    default:
      return draw.pick(ODD_NAMES)
  }
}

const ACCESS = [
  0x120089, 0x1200a9, 0x80, 0x1, 0x2, 0x20, 0x10000, 0x20000, 0x100000, 0x2000000, 0x10000000, 0x20000000,
  0x40000000, 0x80000000, 0, 0x1000000, 0x100, 0x8, 0x10, 0x4, 0x40, 0x40000, 0x12019f, 0x100081, 0x200,
]

function drawWishes(draw: Draw): Wishes {
  const lease = (): Buffer =>
    join(
      Buffer.alloc(16, 5),
      u32(draw.int(8)),
      zeros(12),
      draw.chance(0.4) ? join(zeros(16), u16(draw.int(5)), u16(0)) : zeros(0),
    )
  const contexts: (readonly [string, Buffer])[] = []
  if (draw.chance(0.2)) contexts.push(['MxAc', zeros(draw.pick([0, 8, 8, 16]))])
  if (draw.chance(0.15)) contexts.push(['QFid', zeros(0)])
  if (draw.chance(0.1)) contexts.push([draw.pick(['DHnQ', 'DHnC']), zeros(draw.pick([16, 16, 8]))])
  if (draw.chance(0.05)) contexts.push([draw.pick(['AlSi', 'TWrp', 'abcd', 'AAPL']), zeros(8)])
  const wantsLease = draw.chance(0.12)
  if (wantsLease) contexts.push(['RqLs', lease()])
  return {
    access: draw.chance(0.5) ? draw.pick([0x120089, 0x2000000, 0x80000000]) : draw.pick(ACCESS),
    disposition: draw.chance(0.75) ? 1 : draw.int(7),
    options: draw.chance(0.75)
      ? 0
      : draw.pick([1, 0x40, 0x41, 0x1000, 0x2000, 0x20, 0x800, 0x4000, 0x200000, 0x100000, 0x4, 0x400000]),
    share: draw.chance(0.85) ? 7 : draw.int(8),
    attributes: draw.chance(0.8) ? 0 : draw.pick([1, 2, 0x10, 0x20, 0x80, 0xffff]),
    oplock: wantsLease ? 0xff : draw.pick([0, 0, 0, 0, 1, 1, 0x10]),
    impersonation: draw.chance(0.95) ? 2 : draw.int(6),
    contexts,
  }
}

export function drawCreate(draw: Draw, place: Place): Act {
  const [name, wishes] = [drawName(draw, place), drawWishes(draw)]
  const shown = {
    ...wishes,
    contexts: wishes.contexts?.map(([label, content]) => label + content.toString('hex')),
  }
  return { ...create(name, wishes), name: `create ${JSON.stringify(name)} ${JSON.stringify(shown)}` }
}

const FILE_CLASSES = [
  4, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 28, 34, 35, 48, 59, 0, 10, 23, 26, 33, 37, 64,
]
const VOLUME_CLASSES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 0]
const LENGTHS = [4_096, 4_096, 4_096, 65_536, 0, 1, 4, 7, 8, 16, 24, 32, 40, 56, 100, 104, 110, 65_537]

function drawQuery(draw: Draw): Act {
  const back = draw.int(2)
  const type = draw.pick([1, 1, 1, 2, 2, 3, 4, 0, 5])
  const infoClass =
    type === 1 ? draw.pick(FILE_CLASSES) : type === 2 ? draw.pick(VOLUME_CLASSES) : draw.int(3)
  const [length, additional] = [
    draw.pick(LENGTHS),
    type === 3 ? draw.pick([0, 1, 2, 3, 4, 7, 8, 0xf, 0x10, 0x17]) : 0,
  ]
  return act(`query ${type}/${infoClass} ${length} ${additional} of ${back}`, 16, (client) =>
    queryBody(fileOf(client, back), type, infoClass, length, additional),
  )
}

const PATTERNS = [
  '*',
  '*',
  '*',
  '*.*',
  '*.txt',
  '*.XLSX',
  '?*',
  'nope',
  'nope*',
  '.',
  '..',
  '',
  'a\\b',
  'a:b',
  '<',
  '>',
  '"',
  '<.<',
  '*.',
  '>>>>>>>>.???',
  'B*',
  '*e*',
  '*2*.p*',
  '[a]',
  '*"docx',
  'R<"t>t',
]
const DIRECTORY_CLASSES = [1, 2, 3, 12, 37, 37, 37, 38, 50, 60, 0]

function drawFind(draw: Draw): Act {
  const [back, pattern, infoClass] = [
    draw.chance(0.9) ? 0 : 1,
    draw.pick(PATTERNS),
    draw.pick(DIRECTORY_CLASSES),
  ]
  const [flags, length] = [
    draw.pick([0, 0, 0, 1, 2, 3, 0x10, 0x12, 4]),
    draw.pick([65_536, 65_536, 4_096, 500, 200, 120, 22, 8, 0, 70_000]),
  ]
  return act(`find ${JSON.stringify(pattern)} ${infoClass} ${flags} ${length} of ${back}`, 14, (client) =>
    findBody(fileOf(client, back), pattern, infoClass, flags, length),
  )
}

function drawRead(draw: Draw): Act {
  const [back, offset] = [draw.int(2), draw.pick([0, 0, 1, 100, 511, 4_096, 20_000, 1_000_000, 2 ** 40])]
  const [length, minimum] = [
    draw.pick([0, 1, 16, 200, 512, 600, 65_537, 9_000_000]),
    draw.chance(0.9) ? 0 : draw.pick([1, 100, 1_000]),
  ]
  return act(`read ${offset} ${length} ${minimum} of ${back}`, 8, (client) =>
    readBody(fileOf(client, back), offset, length, minimum),
  )
}

function drawLock(draw: Draw): Act {
  const back = draw.int(2)
  const flags = draw.pick([0x11, 0x12, 0x11, 0x12, 4, 4, 1, 2, 0, 3, 0x22])
  const locks = draw.many(1, 2, () => ({
    flags: draw.chance(0.9) ? flags : 0x12,
    offset: 10 * draw.int(3),
    length: draw.pick([10, 10, 5, 0]),
  }))
  return act(`lock ${JSON.stringify(locks)} of ${back}`, 10, (client) =>
    lockBody(fileOf(client, back), locks),
  )
}

const CODES = [
  0x60194, 0x601b0, 0x11400c, 0x110018, 0x11c017, 0x144064, 0x140078, 0x1401fc, 0x140204, 0x900a8, 0x900c0,
  0x9009c, 0x98208, 0x1440f2, 0x9c040, 0x9003c, 0x940cf, 0x980c8, 0x1401d4, 0x900eb, 0x12345,
]

function drawIoctl(draw: Draw): Act {
  const [code, hasFile] = [draw.pick(CODES), draw.chance(0.6)]
  const input = draw.pick([
    zeros(0),
    zeros(0),
    join(u16(4), Buffer.from('\\a\\b\0', 'utf16le')),
    join(u64(0), u64(100)),
    zeros(4),
  ])
  const [length, flags] = [
    draw.pick([65_536, 4_096, 100, 16, 0, 70_000]),
    draw.chance(0.95) ? 1 : draw.int(3),
  ]
  return act(
    `ioctl ${code.toString(16)} ${hasFile} ${input.toString('hex')} ${length} ${flags}`,
    11,
    (client) => ioctlBody(code, hasFile ? fileOf(client) : Buffer.alloc(16, 0xff), input, length, flags),
  )
}

function drawSet(draw: Draw): Act {
  const [type, infoClass] = [
    draw.pick([1, 1, 1, 2, 3, 0]),
    draw.pick([4, 10, 11, 13, 14, 15, 16, 19, 20, 5, 39, 65]),
  ]
  const content = draw.pick([zeros(60), zeros(40), zeros(8), zeros(1), zeros(0), Buffer.alloc(40, 1)])
  return act(`set ${type}/${infoClass} ${content.toString('hex')}`, 17, (client) =>
    setBody(fileOf(client), type, infoClass, content),
  )
}

/** Each but the pending ones answers at once. */
export function drawFileAct(draw: Draw, place: Place): Act {
  const kind = draw.int(30)
  if (kind < 10) return drawCreate(draw, place)
  if (kind < 15) return drawQuery(draw)
  if (kind < 19) return drawFind(draw)
  if (kind < 22) return drawRead(draw)
  switch (kind) {
    case 22:
      return drawLock(draw)
    case 23:
    case 24:
      return drawIoctl(draw)
    case 25:
      return drawSet(draw)
    case 26: {
      const content = Buffer.alloc(draw.pick([0, 1, 100]), 0x61)
      return act(`write ${content.length}`, 9, (client) => writeBody(fileOf(client), content))
    }
    case 27: {
      const flags = draw.int(3)
      return act(`close ${flags}`, 6, (client) => closeBody(fileOf(client), flags))
    }
    case 28: {
      const level = draw.int(3)
      return draw.pick([
        act('flush', 7, (client) => flushBody(fileOf(client))),
        act(`break ${level}`, 18, (client) => breakBody(fileOf(client), level)),
      ])
    }
    default: {
      const [flags, length] = [draw.int(2), draw.pick([4_096, 0, 70_000])]
      return act(`notify ${flags} ${length}`, 15, (client) => notifyBody(fileOf(client), flags, length))
    }
  }
}
