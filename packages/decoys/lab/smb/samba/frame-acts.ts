// Headers and frames that are odd, and compounds.
import type { Draw } from '../../../test/draw.ts'
import { join, u16, u8, zeros } from '../../../src/windows/fields.ts'
import { closeBody, createBody, emptyBody, findBody, queryBody, readBody } from './bodies.ts'
import { act, fileOf, framed, message, type Act, type Client, type Fields } from './client.ts'
import { drawName, type Place } from './file-acts.ts'

const ALL_BITS = Buffer.alloc(16, 0xff)

export type Part = readonly [name: string, command: number, body: (client: Client) => Buffer]

function drawPart(draw: Draw, place: Place, isFirst: boolean): Part {
  const kind = isFirst ? draw.pick([0, 0, 0, 1]) : draw.int(7)
  const name = drawName(draw, place)
  const parts: readonly Part[] = [
    [`create ${JSON.stringify(name)}`, 5, () => createBody(name, { access: 0x2000000 })],
    ['echo', 13, emptyBody],
    ['close', 6, () => closeBody(ALL_BITS, 1)],
    ['read', 8, () => readBody(ALL_BITS, 0, 10)],
    ['query', 16, () => queryBody(ALL_BITS, 1, 5)],
    ['find', 14, () => findBody(ALL_BITS, '*', 12)],
    ['close of none', 6, (client) => closeBody(fileOf(client))],
  ]
  // A second CREATE among related requests, with others behind it, ends the real server with a failed assertion.
  return !isFirst && kind === 0 ? parts[4]! : parts[kind]!
}

function drawCompound(draw: Draw, place: Place): Act {
  const isRelated = draw.chance(0.8)
  const parts = [drawPart(draw, place, true), ...draw.many(1, 3, () => drawPart(draw, place, false))]
  const flags = parts.map((_, i) => (i > 0 && isRelated ? 4 : 0))
  if (draw.chance(0.05)) flags[0] = 4
  return compound(parts, flags)
}

/** All in one frame. */
export function compound(parts: readonly Part[], flags: readonly number[]): Act {
  return {
    name: `compound ${JSON.stringify(parts.map(([name], i) => `${name} ${flags[i]}`))}`,
    answers: parts.length,
    send(client) {
      const messages = parts.map(([, command, body], i) => {
        const bytes = message(client, command, body(client), { flags: flags[i]! })
        if (i === parts.length - 1) return bytes
        const padded = join(bytes, zeros(-bytes.length & 7))
        padded.writeUInt32LE(padded.length, 20)
        return padded
      })
      return framed(join(...messages))
    },
  }
}

const FLAGS = [0, 1, 2, 4, 8, 0x10, 0x20, 0x70, 0x80, 0x10000000, 0x20000000, 0x40000000]

function drawFields(draw: Draw): Fields {
  switch (draw.int(8)) {
    case 0:
      return { flags: draw.pick(FLAGS) }
    case 1:
      return { creditCharge: draw.pick([0, 1, 2, 5, 40]) }
    case 2:
      return { credits: draw.pick([0, 1, 2, 100, 600, 9_000]) }
    case 3:
      return { sessionId: draw.pick([0n, 77n, 0xffffffffffffffffn]) }
    case 4:
      return { treeId: draw.pick([0, 77, 0xffffffff]) }
    case 5:
      return { nextCommand: draw.pick([1, 64, 66, 72, 4_000]) }
    case 6:
      return { status: 0x1234, processId: draw.int(0x10000) }
    default:
      return { flags: draw.pick([8, 4]), sessionId: draw.pick([0n, 77n]) }
  }
}

const shown = (fields: Fields): string =>
  JSON.stringify(fields, (_, value: unknown) => (typeof value === 'bigint' ? value.toString(16) : value))

export function drawFrameAct(draw: Draw, place: Place): Act {
  const kind = draw.int(12)
  if (kind < 4) return drawCompound(draw, place)
  const fields = drawFields(draw)
  if (kind < 7) return act(`echo ${shown(fields)}`, 13, emptyBody, fields)
  if (kind < 9) {
    const name = drawName(draw, place)
    return act(`create ${JSON.stringify(name)} ${shown(fields)}`, 5, () => createBody(name), fields)
  }
  if (kind === 9) return drawWrongSize(draw)
  if (kind === 10) {
    const command = 19 + draw.int(40)
    return act(`command ${command}`, command, emptyBody)
  }
  const [cut, magic] = [
    draw.chance(0.5) ? draw.int(70) : 68,
    draw.pick([0xfe534d42, 0xfe534d42, 0xfd534d42, 0xfc534d42, 0xff534d42, 0]),
  ]
  return {
    name: `frame ${cut} ${magic.toString(16)}`,
    answers: 1,
    send(client) {
      const bytes = message(client, 13, emptyBody())
      bytes.writeUInt32BE(magic, 0)
      return framed(bytes.subarray(0, cut))
    },
  }
}

/** A body whose size is another, or whose parts are missing. */
function drawWrongSize(draw: Draw): Act {
  const command = draw.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18])
  const [size, length] = [draw.pick([4, 9, 24, 25, 33, 41, 49, 57]), draw.pick([0, 2, 10, 60])]
  return act(`command ${command} of size ${size} with ${length}`, command, () =>
    join(u16(size), zeros(length), u8(0)),
  )
}
