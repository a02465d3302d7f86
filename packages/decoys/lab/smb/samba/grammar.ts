// What a client may send to a file server, drawn at random.
import type { Grammar } from '../../../test/fresh.ts'
import { drawScene } from './draw-scene.ts'
import { converse } from './drive.ts'
import { play } from './drive-scene.ts'
import type { Scene } from './scene.ts'
import { drawScript } from './scripts.ts'
import { masks } from './mask.ts'
import { drawPrivilegeScript } from './privilege-acts.ts'

export const grammar: Grammar = {
  masks,
  // Opens exclude each other, over all connections of the real server.
  concurrency: 1,
  draw(draw) {
    if (draw.chance(0.2)) return sceneGrammar.draw(draw)
    const script = draw.chance(0.1) ? drawPrivilegeScript(draw) : drawScript(draw)
    return {
      name: script.map(({ name }) => name).join(' | '),
      ask: (server, patience) => converse(server, script, patience),
    }
  },
}

/** Several connections at a time. */
export const sceneGrammar: Grammar = {
  masks,
  concurrency: 1,
  draw(draw) {
    const scene = drawScene(draw, Buffer.from(draw.bytes(8), 'latin1'))
    return { name: namesOf(scene), ask: (server, patience) => play(server, scene, patience) }
  },
}

const namesOf = (scene: Scene): string =>
  scene
    .filter(({ isKnown }) => !isKnown)
    .map(({ who, does }) => `${who} ${typeof does === 'string' ? does : does.name}`)
    .join(' | ')
