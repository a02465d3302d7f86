// A connection behind its key exchange, without a socket: what a client sends under keys can be tried from it many times.
import { feed } from '../../test/mutations/feed.ts'
import type { SessionContext } from '../../src/session/session.ts'
import { unencrypted } from '../../src/services/ssh/protocol/cipher/protection.ts'
import {
  advance,
  newDirection,
  readPacket,
  writePacket,
  type Direction,
} from '../../src/services/ssh/protocol/codec/packet.ts'
import { sshSession } from '../../src/services/ssh/products/openssh/session.ts'
import type { SshConfig, SshState } from '../../src/services/ssh/protocol/state.ts'
import { runExchange, type ClientOffer } from './client.ts'

export interface Keyed {
  readonly definition: ReturnType<typeof sshSession>
  /** The server's; its client may log in. */
  readonly state: SshState
  /** The client's next packet. */
  readonly outbound: Direction
}

export async function exchangeKeys(
  config: SshConfig,
  offer: ClientOffer,
  context: SessionContext,
): Promise<Keyed> {
  const definition = sshSession(config)
  const directions = { inbound: newDirection(unencrypted), outbound: newDirection(unencrypted) }
  let { state } = definition.open(context)
  let said: Buffer = Buffer.alloc(0)
  let answering: Promise<void> = Promise.resolve()
  const give = (bytes: Buffer): void => {
    answering = answering.then(async () => {
      const fed = await feed(definition, state, [bytes], context)
      if (fed.isClosed) throw new Error('The server closed within the key exchange.')
      state = fed.state
      said = Buffer.concat([said, fed.sent])
    })
  }
  await runExchange(
    {
      ident: `SSH-2.0-${config.version.software}`,
      write: (line) => give(Buffer.from(line)),
      send(payload) {
        const { bytes, direction } = writePacket(payload, directions.outbound, context.random)
        directions.outbound = direction
        give(bytes)
      },
      async receive() {
        await answering
        const read = readPacket(said, directions.inbound)
        if (!read || !('frame' in read) || read.frame.kind === 'corrupt') return undefined
        said = said.subarray(read.length)
        directions.inbound = advance(directions.inbound, read.frame.packetLength)
        return read.frame.payload
      },
    },
    directions,
    offer,
  )
  await answering
  return { definition, state, outbound: directions.outbound }
}
