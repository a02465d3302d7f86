// The recorded probes of web servers, changed, and sent to every skin.
import { fragment, latin1, type Draw } from '../../test/draw.ts'
import { changeText } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTarget, type MutationTargets } from '../../test/mutations/target.ts'
import type { SessionRunner } from '../../src/session/session.ts'
import type { TlsServer } from '../../src/session/tls-server.ts'
import { descriptor } from '../../src/services/http/descriptor.ts'
import { probes } from './probes.ts'
import { webSession } from '../../src/services/http/servers.ts'
import { loadSkin } from '../../src/services/http/load-skin.ts'
import type { Skin } from '../../src/services/http/protocol/skin.ts'

const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  '%',
  '/',
  '0',
  'ffffffff',
  '-',
  ',',
  '=',
  '\xff',
  'Range: bytes=',
]

/** Two probes on one connection, whole or in pieces. */
function segments(draw: Draw): readonly Buffer[] {
  const asked = draw.many(1, 2, () => draw.pick(probes).send.join(''))
  return asked.flatMap((text) => (draw.chance(0.3) ? fragment(draw, text) : [text])).map(latin1)
}

/** A server of each skin; `tls` is that of its HTTPS. */
export function webMutations(tls?: (skin: Skin) => TlsServer): MutationTarget {
  const servers = descriptor.settings['http.skin'].choices.map((name): SessionRunner => {
    const skin = loadSkin(name)
    return webSession({ banner: '', skin, headers: {}, ...(tls && { tls: () => tls(skin) }) })
  })
  return sessionTarget({
    server: (draw) => draw.pick(servers),
    segments,
    change: changeText(PIECES),
    // Ten requests in a pipeline, each for the largest page.
    mostAnswerBytes: 200_000,
    leastMeanAnswer: 300,
  })
}

export const mutations: MutationTargets = { http: webMutations() }
