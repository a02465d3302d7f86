// Recorded scripts of Samba whose bytes are changed, cut and repeated.
import { type Draw } from '../../../test/draw.ts'
import type { Mutated, MutationTarget } from '../../../test/mutations/target.ts'
import type { Act } from './client.ts'
import { drawnScripts } from './drawn-scripts.ts'
import { drawScene } from './draw-scene.ts'
import { replaySamba } from './replay.ts'
import { replayScene } from './replay-scene.ts'
import type { Turn } from './scene.ts'

/** Of these many acts at the beginning most are left as they are: without a session nothing else is reached. */
const OPENING = 4

/** Changes some bytes behind the transport's header, or where the message ends. */
function changed(draw: Draw, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (const at of draw.many(1, 4, () => draw.int(copy.length))) copy[at] = draw.int(256)
  if (draw.chance(0.7)) bytes.copy(copy, 0, 0, Math.min(16, bytes.length))
  return draw.chance(0.1) ? copy.subarray(0, draw.int(copy.length + 1)) : copy
}

const scripts = drawnScripts()

/** Several connections, of which what they send behind their logins is changed. */
function converseAtOnce(draw: Draw): Mutated {
  let frames = 0
  const scene = drawScene(draw, Buffer.alloc(8)).map((turn): Turn => {
    const { does, isKnown } = turn
    if (typeof does === 'string' || isKnown || draw.chance(0.6)) return turn
    frames += 1
    return { ...turn, does: { ...does, send: (client) => changed(draw, does.send(client)) } }
  })
  const { text, leave, locking } = replayScene(scene)
  leave()
  const isKept = locking.opens + locking.waiting + locking.files.size + locking.leases.size > 0
  return { answerBytes: text.length, frames, ...(isKept && { fault: 'files are open that nobody has' }) }
}

export const sambaMutations: MutationTarget = {
  converse(draw) {
    if (draw.chance(0.2)) return converseAtOnce(draw)
    let frames = 0
    const sent = draw.pick(scripts).map((act, at): Act => ({
      ...act,
      send(client) {
        const bytes = act.send(client)
        if (!draw.chance(at < OPENING ? 0.05 : 0.6)) return bytes
        frames += 1
        return changed(draw, bytes)
      },
    }))
    return { answerBytes: replaySamba(sent).text.length, frames }
  },
  leastMeanAnswer: 800,
}
