// Requests to the web servers as they come out of TLS, and the hellos before them, changed.
import { latin1 } from '../../test/draw.ts'
import { deriveFrom } from '../../test/session-context.ts'
import { changeBytes } from '../../test/mutations/changes.ts'
import type { MutationTarget, MutationTargets } from '../../test/mutations/target.ts'
import { readClientHello, withProtocol } from '../../src/host/tls/client-hello.ts'
import { webMutations } from '../http/mutations.ts'
import { webTls } from '../../src/services/https/tls.ts'
import { drawHello } from './draw-hello.ts'

const change = changeBytes([0x16, 0x0301, 0x0303, 10, 16, 41, 43, 51])
const derive = deriveFrom('bird-1')
const now = (): number => Date.UTC(2026, 10, 20, 9, 39, 2)
const dst = { host: '192.0.2.1', port: 443 }

/** One that is read has its protocols written anew, as the host does for a server without TLS of its own. */
const hellos: MutationTarget = {
  leastMeanAnswer: 30,
  converse(draw) {
    const hello = change(draw, latin1(drawHello(draw)))
    const read = readClientHello(hello)
    if (typeof read === 'string') return { frames: 1, answerBytes: 0 }
    const rewritten = withProtocol(hello, 'http/1.1')
    const again = readClientHello(rewritten)
    const isKept = typeof again !== 'string' && again.protocols[0] === 'http/1.1'
    const fault = isKept ? undefined : `${hello.toString('base64')} is not read again with another protocol`
    return { frames: 1, answerBytes: rewritten.length, ...(fault !== undefined && { fault }) }
  },
}

export const mutations: MutationTargets = {
  https: webMutations((skin) => webTls(skin, {}, { derive, now, dst })),
  'https, its hellos': hellos,
}
