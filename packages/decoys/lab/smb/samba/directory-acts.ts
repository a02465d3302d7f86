// Questions of tools that list users and groups: names and SIDs by lsarpc, groups and members by samr.
import type { Draw } from '../../../test/draw.ts'
import { join, u16, u32, u8, zeros } from '../../../src/windows/fields.ts'
import { pointerTo, requestPdu } from '../windows/rpc-client.ts'
import type { Act, Client } from './client.ts'
import { transceive } from './transceive.ts'

const aligned = (bytes: Buffer): Buffer => join(bytes, zeros(-bytes.length & 3))
const call = (opnum: number, about: string, stub: (client: Client) => Buffer): Act =>
  transceive(`chain ${opnum} ${about}`, (client) => requestPdu(opnum, stub(client)))

/** Fields of RPC_UNICODE_STRINGs, and their buffers behind them. */
const strings = (texts: readonly string[]): Buffer =>
  join(
    ...texts.map((text, i) =>
      join(u16(2 * text.length), u16(2 * text.length), u32(text === '' ? 0 : 0x20004 + 4 * i)),
    ),
    ...texts
      .filter((text) => text !== '')
      .map((text) => join(u32(text.length), u32(0), u32(text.length), aligned(Buffer.from(text, 'utf16le')))),
  )

/** A SID as it is called for in a script: `own-1000` is one of the machine. */
function sidBytes(text: string, { sid }: Client): Buffer {
  if (text === 'own') return sid
  if (text.startsWith('own-')) return withPart(sid, Number(text.slice(4)))
  const [, , authority = '0', ...parts] = text.split('-')
  return join(
    u8(1),
    u8(parts.length),
    zeros(5),
    u8(Number(authority)),
    ...parts.map((part) => u32(Number(part))),
  )
}

function withPart(sid: Buffer, part: number): Buffer {
  const longer = join(sid, u32(part))
  longer[1] = (sid[1] ?? 0) + 1
  return longer
}

const sidNdr = (text: string, client: Client): Buffer => {
  const bytes = sidBytes(text, client)
  return join(u32(bytes[1] ?? 0), bytes)
}

export const openPolicy = call(44, 'open', () =>
  join(aligned(pointerTo('x')), u32(24), zeros(20), u32(0x02000000)),
)
/** Its answer has the SID of the machine. */
const accountDomain = call(7, 'class 5', ({ handle }) => join(handle, u16(5)))

export const lookupNames = (opnum: number, names: readonly string[], level: number): Act =>
  call(opnum, `${JSON.stringify(names)} ${level}`, ({ handle }) => {
    const head = join(
      handle,
      u32(names.length),
      u32(names.length),
      strings(names),
      u32(0),
      u32(0),
      u16(level),
      u16(0),
      u32(0),
    )
    return opnum === 14 ? head : join(head, u32(0), u32(2))
  })

export const lookupSids = (opnum: number, sids: readonly string[], level: number): Act =>
  call(opnum, `${JSON.stringify(sids)} ${level}`, (client) => {
    const list =
      sids.length === 0
        ? u32(0)
        : join(
            u32(0x20000),
            u32(sids.length),
            ...sids.map((_, i) => u32(0x20004 + 4 * i)),
            ...sids.map((each) => sidNdr(each, client)),
          )
    const head = join(client.handle, u32(sids.length), list, u32(0), u32(0), u16(level), u16(0), u32(0))
    return opnum === 15 ? head : join(head, u32(0), u32(2))
  })

const connect = call(57, 'connect', () => join(aligned(pointerTo('x')), u32(0x02000000)))
/** The answer to the look-up has the SID of the machine. */
export const openDomain = (name: 'own' | 'builtin', machine: string): Act[] => [
  connect,
  call(5, 'look up the machine', ({ handle }) => join(handle, strings([machine]))),
  call(7, `open ${name}`, (client) =>
    join(client.handle, u32(0x02000000), sidNdr(name === 'own' ? 'own' : 'S-1-5-32', client)),
  ),
]

/** In a domain that is open. */
export const inDomain = (opnum: number, about: string, stub: Buffer): Act =>
  call(opnum, about, ({ handle }) => join(handle, stub))

const RIDS = [0, 500, 501, 512, 513, 514, 544, 545, 999, 1_000, 1_001, 1_004, 1_005, 2_000, 4_294_967_295]
const NAMES = [
  'root',
  'nobody',
  'daemon',
  'users',
  'sudo',
  'guest',
  'Administrators',
  'administrators',
  'Users',
  'Domain Users',
  'None',
  'nope',
  '',
  'Everyone',
  'SYSTEM',
  'system',
  'Network',
  'Anonymous Logon',
  'NT Authority',
  'BUILTIN',
  'builtin\\Users',
  'BUILTIN\\Administrators',
  'Unix User\\root',
  'unix group\\users',
  'Unix User\\nope',
  'WORKGROUP',
  'WORKGROUP\\x',
  'nope\\x',
  'NT Authority\\SYSTEM',
  '\\Everyone',
  'Creator Owner',
  'a\\b\\c',
  'Backup Operators',
  'Guests',
]
const SIDS = [
  'S-1-1-0',
  'S-1-5-7',
  'S-1-5-11',
  'S-1-5-18',
  'S-1-5-2',
  'S-1-5-32',
  'S-1-5-32-544',
  'S-1-5-32-545',
  'S-1-5-32-546',
  'S-1-5-32-550',
  'S-1-5-32-555',
  'S-1-5-32-999',
  'S-1-22-1-0',
  'S-1-22-1-1',
  'S-1-22-1-33',
  'S-1-22-1-65534',
  'S-1-22-1-1000',
  'S-1-22-1-1001',
  'S-1-22-1-1005',
  'S-1-22-1-4000',
  'S-1-22-2-0',
  'S-1-22-2-100',
  'S-1-22-2-27',
  'S-1-22-2-4000',
  'S-1-3-0',
  'S-1-3-1',
  'S-1-0-0',
  'S-1-2-0',
  'S-1-5',
  'S-1-5-21-1-2-3-500',
  'S-1-9-1',
]

/** What both servers have. */
export interface Directory {
  readonly machine: string
  readonly users: readonly string[]
}

const names = (draw: Draw, { machine, users }: Directory): string => {
  const kind = draw.int(6)
  if (kind === 0) return draw.pick(users)
  if (kind === 1)
    return draw.pick([
      `${machine}\\${draw.pick(users)}`,
      draw.pick(users).toUpperCase(),
      machine,
      `${machine}\\None`,
    ])
  return draw.pick(NAMES)
}
const sids = (draw: Draw): string =>
  draw.chance(0.35) ? (draw.chance(0.15) ? 'own' : `own-${draw.pick(RIDS)}`) : draw.pick(SIDS)

/** Behind a bind to lsarpc. */
export function drawLookups(draw: Draw, directory: Directory): Act[] {
  const level = draw.chance(0.85) ? 1 : draw.int(8)
  const ask = draw.chance(0.5)
    ? lookupNames(
        draw.pick([14, 14, 58, 68]),
        draw.chance(0.05) ? [] : draw.many(1, 4, () => names(draw, directory)),
        level,
      )
    : lookupSids(draw.pick([15, 15, 57]), draw.chance(0.05) ? [] : draw.many(1, 4, () => sids(draw)), level)
  return [openPolicy, accountDomain, ask]
}

const openById = (opnum: number, rid: number): Act =>
  inDomain(opnum, `open ${rid}`, join(u32(0x02000000), u32(rid)))

/** Behind a bind to samr. */
export function drawGroups(draw: Draw, directory: Directory): Act[] {
  const domain = openDomain(draw.chance(0.8) ? 'own' : 'builtin', directory.machine)
  const rid = draw.chance(0.6) ? draw.pick([513, 1_000, 1_001, 544]) : draw.pick(RIDS)
  const asked = draw.many(1, 3, () => names(draw, directory))
  const rids = draw.many(1, 3, () => draw.pick(RIDS))
  const last = draw.pick<readonly Act[]>([
    [inDomain(11, 'groups', join(u32(0), u32(0xffff)))],
    [inDomain(15, 'aliases', join(u32(0), u32(0xffff)))],
    [
      inDomain(
        17,
        JSON.stringify(asked),
        join(u32(asked.length), u32(1_000), u32(0), u32(asked.length), strings(asked)),
      ),
    ],
    [
      inDomain(
        18,
        rids.join(),
        join(u32(rids.length), u32(1_000), u32(0), u32(rids.length), ...rids.map(u32)),
      ),
    ],
    [openById(19, rid), inDomain(20, 'info', u16(draw.pick([1, 1, 2, 3, 4, 5, 6])))],
    [openById(19, rid), inDomain(25, 'members', zeros(0))],
    [openById(27, rid)],
    [openById(34, rid), inDomain(39, 'groups of the user', zeros(0))],
    [
      openById(34, rid),
      inDomain(draw.pick([36, 47]), 'info', u16(draw.pick([21, 21, 6, 7, 9, 10, 12, 16, 17, 0, 18]))),
    ],
    [inDomain(draw.pick([8, 46]), 'domain', u16(draw.int(15)))],
    // Users of the own domain come in the order of a hash.
    [
      inDomain(
        draw.pick([40, 48, 51]),
        'display',
        join(
          u16(draw.pick([2, 3, 5])),
          u16(0),
          u32(draw.int(3)),
          u32(draw.int(50)),
          u32(draw.pick([0xffff, 64])),
        ),
      ),
    ],
    [openById(34, rid), inDomain(44, 'rules', zeros(0))],
  ])
  return [...domain, ...last]
}
