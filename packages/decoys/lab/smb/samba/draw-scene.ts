// Scenes of two or three connections that open the same files, drawn at random.
import type { Draw } from '../../../test/draw.ts'
import type { Wishes } from './bodies.ts'
import {
  acknowledge,
  acknowledgeLease,
  cancel,
  close,
  disconnect,
  enter,
  glance,
  lease,
  leaves,
  lock,
  logoff,
  open,
  read,
} from './scene-acts.ts'
import type { Scene, Turn, Who } from './scene.ts'

const FILES = ['readme.txt', 'readme.txt', 'readme.txt', 'Sales\\Contacts.csv']
const DIALECTS = [[0x0202], [0x0210], [0x0300], [0x0311]]

const drawKey = (draw: Draw): number => 1 + draw.int(3)

function drawWishes(draw: Draw): Wishes {
  const kind = draw.int(20)
  const granted: Wishes =
    kind < 4
      ? {}
      : kind < 11
        ? { oplock: draw.pick([1, 8, 9, 9]) }
        : lease(
            drawKey(draw),
            draw.pick([7, 7, 7, 3, 3, 5, 1, draw.int(16)]),
            draw.chance(0.6) ? draw.int(5) : undefined,
          )
  return {
    ...granted,
    access: draw.chance(0.7) ? 0x120089 : draw.pick([0x80, 0x20000, 0x100080, 0x120080, 0x2000000, 0x1, 0]),
    share: draw.chance(0.75) ? 7 : draw.pick([0, 0, 1, 4, 6]),
    disposition: draw.chance(0.96) ? 1 : draw.int(6),
  }
}

function drawTurn(draw: Draw, who: Who): Turn {
  const kind = draw.int(100)
  if (kind < 42) return open(who, draw.pick(FILES), drawWishes(draw))
  if (kind < 45) return glance(who, draw.pick(FILES), drawWishes(draw))
  if (kind < 57) return acknowledge(who, draw.pick([1, 1, 1, 0, 0, 8, 9]), draw.int(2))
  if (kind < 69) return acknowledgeLease(who, drawKey(draw), draw.pick([3, 3, 1, 1, 0, 5, 7]))
  if (kind < 79) return close(who, draw.int(3))
  if (kind < 91)
    return lock(who, draw.pick([0x11, 0x12, 0x12, 4, 4, 2, 1]), draw.int(2), draw.pick([0, 0, 5]))
  if (kind < 93) return read(who, draw.int(2))
  if (kind < 96) return cancel(who, draw.int(2))
  if (kind < 98) return leaves(who)
  return draw.chance(0.5) ? disconnect(who) : logoff(who)
}

/** `salt` makes clients of their own for each scene: a server may take a while to forget the last. */
export function drawScene(draw: Draw, salt: Buffer): Scene {
  const players: readonly Who[] = draw.chance(0.6) ? ['a', 'b'] : ['a', 'b', 'c']
  const isOneClient = draw.chance(0.2)
  const turns = players.flatMap((who) => {
    const guid = Buffer.concat([salt, Buffer.from(isOneClient && who === 'b' ? 'a' : who)], 16)
    return enter(who, { guid, ...(draw.chance(0.25) && { dialects: draw.pick(DIALECTS) }) })
  })
  const gone = new Set<Who>()
  for (const next of draw.many(4, 10, () => drawTurn(draw, draw.pick(players)))) {
    if (gone.has(next.who)) continue
    if (next.does === 'leaves') gone.add(next.who)
    turns.push(next)
  }
  // A Samba whose clients all go while they wait for each other holds their files for half a minute.
  return [...turns, ...players.filter((who) => !gone.has(who)).map(logoff)]
}
