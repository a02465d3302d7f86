// Beginning to add a channel of a chat service: its own page, on which a person chooses the channel.
import { flockChats } from '@rookery/contract/groups/flock-chats.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { parseAttention } from '../../notify/attention.ts'
import { configured, type ChatDeps } from '../../notify/chat-app.ts'
import { authorisePage } from '../../notify/receivers/chatops/provider.ts'
import { signCursor } from '../../secrets/cursor.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { beginAuthorisation } from '../../stores/webhooks/authorisations.store.ts'
import { CALLBACK, STATE, type State } from './authorise.ts'

const LIFETIME_MS = 600_000
const { authoriseChatops } = flockChats

export const flockChatsRoutes = ({
  reader,
  writer,
  vault,
  world,
  chatProvider,
}: Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'> & ChatDeps): Route<Call>[] =>
  implement(
    { authoriseChatops },
    {
      async authoriseChatops({ flock_id, ...given }, { caller, baseUrl }: Call) {
        await existingFlock(reader, caller.scope, flock_id)
        const chat = configured(chatProvider())
        const now = world.clock.now()
        const expiresAt = now + LIFETIME_MS
        const state: State = {
          nonce: hex(world.random, 32),
          expiresAt,
          redirectUri: `${baseUrl}${CALLBACK}`,
          attention: parseAttention(given),
        }
        const row = { nonce: state.nonce, flock_id, key_id: caller.keyId, expires_at: expiresAt }
        await writer.write((tx) => beginAuthorisation(tx, row, now))
        return { url: authorisePage(chat, state.redirectUri, signCursor(vault, STATE, state)) }
      },
    },
  )
