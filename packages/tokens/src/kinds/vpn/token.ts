// A WireGuard configuration. The first message of a handshake with its key fires; nobody ever gets an answer.
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { clientKey, clientPublicKey } from './keys.ts'

/** Who has only seen a message on its way can send it again; later than this it raises nothing. */
const MAX_SKEW_MS = 180_000

export default token(descriptor, {
  // The configuration has a private key in it: it is made for a download alone.
  renders: () => ({}),
  peerKey: clientPublicKey,
  clientKey,
  on: {
    wireguard: {
      judge: ({ sentAt, isReplay }, _settings, at) =>
        isReplay || Math.abs(sentAt - at) > MAX_SKEW_MS ? 'quiet' : 'fire',
      describe: ({ clientPublicKey, sessionIndex, sentAt }, _settings, at) => ({
        client_public_key: clientPublicKey,
        session_index: sessionIndex,
        // By how much the clock of the client is ahead.
        skew_s: Math.round((sentAt - at) / 1_000),
      }),
    },
  },
})
