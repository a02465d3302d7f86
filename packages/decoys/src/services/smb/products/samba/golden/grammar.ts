// What a client may send to a file server, drawn at random.
import type { Grammar } from '../../../../../../test/fresh.ts'
import { converse } from './drive.ts'
import { drawScript } from './scripts.ts'
import { masks } from './mask.ts'
import { drawPrivilegeScript } from './privilege-acts.ts'

export const grammar: Grammar = {
  masks,
  // Opens exclude each other, over all connections of the real server.
  concurrency: 1,
  draw(draw) {
    const script = draw.chance(0.1) ? drawPrivilegeScript(draw) : drawScript(draw)
    return { name: script.map(({ name }) => name).join(' | '), ask: (server, patience) => converse(server, script, patience) }
  },
}
