// Scripts of one connection: a beginning that leads somewhere, and requests behind it.
import type { Draw } from '../../../test/draw.ts'
import { connectBody, emptyBody } from './bodies.ts'
import { act, connectTo, login, negotiate, type Act } from './client.ts'
import { drawCredentials } from './credentials.ts'
import { drawFileAct } from './file-acts.ts'
import { drawFirst, drawNegotiation, drawSetup } from './first-acts.ts'
import { drawFrameAct } from './frame-acts.ts'
import { drawPipeActs } from './pipe-acts.ts'
import { placeOf } from './place.ts'

const SHARES = [
  'nope',
  'C$',
  'ADMIN$',
  'print$',
  'nobody',
  'root',
  'homes',
  'printers',
  '',
  'Documents\\x',
  'documents',
  'IPC$',
  'ipc$',
]
const PATHS = [
  '\\\\x',
  '\\\\',
  'Documents',
  '\\Documents',
  '\\\\\\Documents',
  '//x/Documents',
  '\\\\x\\Documents\\',
  'x\\Documents',
  '',
]

const drawConnect = (draw: Draw): Act => {
  if (draw.chance(0.6)) return connectTo(draw.pick(SHARES))
  const path = draw.pick(PATHS)
  return act(`connect path ${path}`, 3, () => connectBody(path))
}

/** How far a script comes before it does what it is about. */
export function drawScript(draw: Draw): Act[] {
  const kind = draw.int(100)
  if (kind < 5) return drawFirst(draw)
  if (kind < 16) return drawNegotiation(draw)
  const usual = [
    negotiate({
      dialects: draw.chance(0.5)
        ? [0x0202, 0x0210, 0x0300, 0x0302, 0x0311]
        : [draw.pick([0x0202, 0x0210, 0x0300, 0x0302, 0x0311])],
    }),
  ]
  if (kind < 28) return [...usual, ...drawSetup(draw)]
  const guest = login({ user: 'bob', ntHash: Buffer.alloc(16, 7) })
  if (kind < 36)
    return [
      ...usual,
      ...login(drawCredentials(draw), draw.chance(0.3)),
      ...draw.many(1, 3, () => drawConnect(draw)),
    ]
  const who = draw.chance(0.8) ? guest : login({ user: '' })
  if (kind < 44)
    return [...usual, ...who, connectTo('Documents'), ...draw.many(1, 4, () => drawFrameAct(draw, placeOf()))]
  if (kind < 82)
    return [
      ...usual,
      ...who,
      connectTo('Documents'),
      ...draw.many(1, 6, () => drawFileAct(draw, placeOf())),
      ...ending(draw),
    ]
  return [...usual, ...who, connectTo('IPC$'), ...drawPipeActs(draw, placeOf())]
}

const ending = (draw: Draw): Act[] =>
  draw.chance(0.8)
    ? []
    : [act('disconnect', 4, emptyBody), ...(draw.chance(0.5) ? [act('logoff', 2, emptyBody)] : [])]
