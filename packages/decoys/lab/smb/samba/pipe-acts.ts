// Requests on the pipes of IPC$, and calls behind them.
import type { Draw } from '../../../test/draw.ts'
import { join, u16, u32, zeros } from '../../../src/windows/fields.ts'
import { uuid } from '../../../src/services/smb/protocol/pipes/rpc.ts'
import { bindPdu, pointerTo, requestPdu, stringOf } from '../windows/rpc-client.ts'
import {
  closeBody,
  findBody,
  flushBody,
  ioctlBody,
  notifyBody,
  queryBody,
  readBody,
  setBody,
  writeBody,
} from './bodies.ts'
import { act, create, fileOf, type Act, type Client } from './client.ts'
import { drawGroups, drawLookups, type Directory } from './directory-acts.ts'
import { transceive } from './transceive.ts'

const INTERFACES = {
  srvsvc: ['4b324fc8-1670-01d3-1278-5a47bf6ee188', 3],
  wkssvc: ['6bffd098-a112-3610-9833-46c3f87e345a', 1],
  lsarpc: ['12345778-1234-abcd-ef00-0123456789ab', 0],
  samr: ['12345778-1234-abcd-ef00-0123456789ac', 1],
} as const
type Name = keyof typeof INTERFACES

const NAMES = [
  'nope',
  '',
  'netlogon',
  'SRVSVC',
  '\\srvsvc',
  'a/b',
  'srvsvc.',
  'atsvc',
  'browser',
  'winreg',
  'epmapper',
  'x'.repeat(300),
  '.',
]

const server = (draw: Draw): Buffer =>
  draw.chance(0.8) ? pointerTo(draw.pick(['\\\\127.0.0.2', 'x', ''])) : u32(0)
const aligned = (bytes: Buffer): Buffer => join(bytes, zeros(-bytes.length & 3))

function shareEnum(draw: Draw): readonly [number, Buffer] {
  const level = draw.pick([0, 1, 1, 2, 502, 501, 503, 1_004, 1_005, 7])
  const resume = draw.chance(0.3) ? join(u32(0x20008), u32(draw.int(6))) : u32(0)
  return [
    draw.pick([15, 15, 36]),
    join(aligned(server(draw)), u32(level), u32(level), u32(0x20004), zeros(8), u32(0xffffffff), resume),
  ]
}

function shareInfo(draw: Draw): readonly [number, Buffer] {
  const name = draw.pick(['Documents', 'documents', 'IPC$', 'print$', 'nope', 'nobody'])
  return [
    16,
    join(
      aligned(server(draw)),
      aligned(stringOf(name)),
      u32(draw.pick([0, 1, 2, 501, 502, 1_004, 1_005, 1_006, 1_007, 1_501, 9])),
    ),
  ]
}

const withLevel = (draw: Draw, opnum: number, levels: readonly number[]): readonly [number, Buffer] => [
  opnum,
  join(aligned(server(draw)), u32(draw.pick(levels))),
]

/** An operation and its stub. */
function drawCall(draw: Draw, name: Name): readonly [number, Buffer] {
  if (draw.chance(0.06)) return [draw.pick([90, 200]), Buffer.from(draw.bytes(draw.int(30)), 'latin1')]
  switch (name) {
    case 'srvsvc': {
      const kind = draw.int(7)
      if (kind < 3) return shareEnum(draw)
      if (kind < 5) return shareInfo(draw)
      return kind === 5
        ? withLevel(draw, 21, [100, 101, 102, 103, 502, 503])
        : [21, join(aligned(server(draw)))]
    }
    case 'wkssvc':
      return withLevel(draw, 0, [100, 100, 101, 102, 502])
    case 'lsarpc':
      return draw.chance(0.5)
        ? [45, join(aligned(server(draw)), u32(0), draw.chance(0.5) ? u32(0) : join(u32(0x20004), u32(0)))]
        : [44, join(aligned(server(draw)), u32(24), zeros(20), u32(0x02000000))]
    case 'samr':
      return draw.pick([
        [57, join(aligned(server(draw)), u32(0x02000000))],
        [62, join(aligned(server(draw)), u32(2), u32(0x02000000))],
        [0, join(u32(0x20000), u16(0x5c), u16(0), u32(0x02000000))],
      ] as const)
  }
}

function drawBind(draw: Draw, name: Name): Buffer {
  const [id, version] = INTERFACES[draw.chance(0.9) ? name : draw.pick(Object.keys(INTERFACES) as Name[])]
  const transfer = draw.chance(0.9)
    ? undefined
    : draw.pick([uuid('71710533-beba-4937-8319-b5dbef9ccc36'), '2c1cb76c129840450300000000000000'])
  return bindPdu(
    id,
    draw.chance(0.95) ? version : 9,
    transfer,
    draw.pick([4_280, 4_280, 1_000, 65_535, 5_840]),
  )
}

const readOf = (length: number): Act =>
  act(`read ${length}`, 8, (client) => readBody(fileOf(client), 0, length))

function drawOther(draw: Draw): Act {
  switch (draw.int(9)) {
    case 0: {
      const [type, infoClass, length] = [
        draw.pick([1, 1, 2, 3, 4, 0]),
        draw.pick([5, 5, 4, 18, 23, 24]),
        draw.pick([4_096, 24, 8]),
      ]
      return act(`query ${type}/${infoClass} ${length}`, 16, (client) =>
        queryBody(fileOf(client), type, infoClass, length),
      )
    }
    case 1:
      return act('flush', 7, (client) => flushBody(fileOf(client)))
    case 2:
      return act('find', 14, (client) => findBody(fileOf(client), '*'))
    case 3:
      return act('notify', 15, (client) => notifyBody(fileOf(client)))
    case 4: {
      const infoClass = draw.pick([4, 23])
      return act(`set ${infoClass}`, 17, (client) => setBody(fileOf(client), 1, infoClass, zeros(40)))
    }
    case 5: {
      const flags = draw.int(2)
      return act(`close ${flags}`, 6, (client) => closeBody(fileOf(client), flags))
    }
    case 6: {
      const [code, isAll] = [
        draw.pick([
          0x60194, 0x601b0, 0x11400c, 0x110018, 0x140078, 0x1401fc, 0x140204, 0x900a8, 0x9009c, 0x98208,
        ]),
        draw.chance(0.5),
      ]
      return act(`ioctl ${code.toString(16)} ${isAll}`, 11, (client) =>
        ioctlBody(code, isAll ? Buffer.alloc(16, 0xff) : fileOf(client), zeros(0)),
      )
    }
    case 7:
      return readOf(1_024)
    default:
      return act('write', 9, (client) => writeBody(fileOf(client), zeros(0)))
  }
}

/** Calls that need the handle of the one before. */
function drawChain(draw: Draw, name: Name, directory: Directory): Act[] {
  const call = (opnum: number, stub: (client: Client) => Buffer, about: string): Act =>
    transceive(`chain ${opnum} ${about}`, (client) => requestPdu(opnum, stub(client)))
  const close = draw.chance(0.4) ? [call(name === 'samr' ? 1 : 0, ({ handle }) => handle, '')] : []
  if (name === 'lsarpc' && draw.chance(0.65)) return [...drawLookups(draw, directory), ...close]
  if (name === 'lsarpc') {
    const infoClass = draw.int(16)
    const open = call(44, () => join(aligned(pointerTo('x')), u32(24), zeros(20), u32(0x02000000)), 'open')
    return [open, call(7, ({ handle }) => join(handle, u16(infoClass)), `class ${infoClass}`), ...close]
  }
  if (name !== 'samr') return []
  if (draw.chance(0.65)) return [...drawGroups(draw, directory), ...close]
  const text = draw.pick(['Builtin', 'builtin', 'nope'])
  const unicode = (each: string): Buffer =>
    join(
      u16(2 * each.length),
      u16(2 * each.length),
      u32(0x20004),
      u32(each.length),
      u32(0),
      u32(each.length),
      aligned(Buffer.from(each, 'utf16le')),
    )
  const connect = call(57, () => join(aligned(pointerTo('x')), u32(0x02000000)), 'connect')
  const builtin = Buffer.from('01000000010100000000000520000000', 'hex')
  const steps = [
    [call(6, ({ handle }) => join(handle, u32(0), u32(0x1000)), 'domains')],
    [call(5, ({ handle }) => join(handle, unicode(text)), `look up ${text}`)],
    [
      call(7, ({ handle }) => join(handle, u32(0x02000000), builtin), 'open builtin'),
      call(13, ({ handle }) => join(handle, u32(0), u32(0), u32(0xffff)), 'users'),
    ],
  ]
  return [connect, ...draw.pick(steps), ...close]
}

export function drawPipeActs(draw: Draw, directory: Directory): Act[] {
  const name = draw.pick(Object.keys(INTERFACES) as Name[])
  const open = create(draw.chance(0.85) ? name : draw.pick(NAMES), {
    access: draw.pick([0x0012019f, 0x2000000, 0x80]),
  })
  if (draw.chance(0.15)) return [open, ...draw.many(1, 3, () => drawOther(draw))]
  const bind = drawBind(draw, name)
  const calls = draw.many(1, 3, (): Act => {
    const [opnum, stub] = drawCall(draw, name)
    const length = name === 'samr' || name === 'lsarpc' || draw.chance(0.9) ? 65_536 : draw.pick([16, 100])
    return transceive(
      `call ${name} ${opnum} ${stub.toString('hex')} ${length}`,
      () => requestPdu(opnum, stub),
      length,
    )
  })
  const begin = draw.chance(0.8)
    ? [transceive(`bind ${bind.toString('hex')}`, () => bind)]
    : [act('write bind', 9, (client) => writeBody(fileOf(client), bind)), readOf(draw.pick([1_024, 24]))]
  const chain = draw.chance(0.6) ? drawChain(draw, name, directory) : []
  return [
    open,
    ...(draw.chance(0.95) ? begin : []),
    ...(chain.length > 0 ? chain : calls),
    ...(draw.chance(0.2) ? [drawOther(draw)] : []),
  ]
}
