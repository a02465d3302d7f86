// A WireGuard configuration. The first message of a handshake with its key fires; nobody ever gets an answer.
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { clientKey, clientPublicKey } from './keys.ts'

/** Of the ids of messages, the last ones are kept: an older message raises nothing, whether it came before or not. */
const MAX_SKEW_MS = 180_000

export default token(descriptor, {
  // The configuration has a private key in it: it is made for a download alone.
  renders: () => ({}),
  peerKey: clientPublicKey,
  clientKey,
  on: {
    wireguard: {
      judge: ({ sentAt }, _settings, at) => (Math.abs(sentAt - at) > MAX_SKEW_MS ? 'quiet' : 'fire'),
      // WireGuard asks for times that rise, since a key has one machine. A stolen file has several, whose clocks differ.
      nonce: ({ ephemeralKey }) => ephemeralKey,
      describe: ({ clientPublicKey, sessionIndex, sentAt }, _settings, at) => ({
        client_public_key: clientPublicKey,
        session_index: sessionIndex,
        // By how much the clock of the client is ahead.
        skew_s: Math.round((sentAt - at) / 1_000),
      }),
    },
  },
})
