// Adding a channel of a chat service. An admin begins (`routes.ts`), the browser goes to the service, comes back with a code
// (`callback`), and the code is exchanged for the channel's webhook. What ties the two ends together is `state`: signed,
// good for ten minutes and for one end.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { sendJson } from '../../http/json.ts'
import { quoted } from '../../notify/message/facts.ts'
import { readCursor } from '../../secrets/cursor.ts'
import { takeAuthorisation, type Authorisation } from '../../stores/webhooks/authorisations.store.ts'
import { existingFlock, type Flock } from '../../stores/flocks/store.ts'
import type { ReceiverAttention } from '../../stores/webhooks/store.ts'
import { findKey } from '../../stores/keys/store.ts'
import { readSettings } from '../../stores/settings/store.ts'
import { addChannel } from '../../notify/receivers/chatops/channels.ts'
import { configured, type ChatDeps } from '../../notify/chat-app.ts'
import { exchangeCode, notGranted } from '../../notify/receivers/chatops/provider.ts'
import { findUser, listRoles } from '../../stores/users/store.ts'

/** Who changes which Flock, for the audit trail. */
export interface Authorised {
  readonly keyId: string
  readonly address: string
  readonly flock: Flock
  readonly team: string
  readonly channel: string
}

export interface AuthorisationDeps
  extends Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'>, ChatDeps {
  /** Writes the channel, and what is owed for a change. */
  readonly change: (authorised: Authorised, work: (tx: Tx) => Promise<void>) => Promise<void>
}

/** What `state` says. */
export interface State {
  readonly nonce: string
  readonly expiresAt: number
  readonly redirectUri: string
  readonly attention: ReceiverAttention
}

/** The name under which it is signed. */
export const STATE = 'chat authorisation'
export const CALLBACK = '/oauth/chatops/callback'
/** Where a person goes on. */
const PAGE = '/alerts/receivers'
/** A browser that only looks ahead must not use a state up. */
const NO_HEAD = { exposeHeadRoute: false }

export function serveAuthorisation(server: FastifyInstance, deps: AuthorisationDeps): void {
  const { reader, writer, vault, world, chatProvider, change } = deps

  server.get(CALLBACK, NO_HEAD, async (request, reply) => {
    const query = queryOf(request)
    const { redirectUri, nonce, attention } = readState(query.get('state') ?? '')
    const begun = await take(nonce)
    const goOn = (chat: 'added' | 'refused') =>
      reply
        .header('Cache-Control', 'no-store')
        .redirect(`${redirectUri.slice(0, -CALLBACK.length)}${PAGE}?chat=${chat}`, 303)
    const refused = query.get('error')
    if (refused !== null && isPerson(begun)) return goOn('refused')
    if (refused !== null) throw notGranted(`It said ${quoted(refused)}.`)
    const code = query.get('code') ?? ''
    if (code === '' || code.length > 1_000)
      throw invalidParameter('code', 'must be the code that the chat service gave')
    const flock = await existingFlock(reader, 'all', begun.flock_id)
    const record = await exchangeCode(world.outbound, configured(chatProvider()), code, redirectUri)
    const { team, channel } = record
    const authorised = { keyId: begun.key_id, address: request.ip, flock, team, channel }
    await change(authorised, async (tx) => {
      await existingFlock(tx.query, 'all', flock.flock_id)
      await addChannel(tx, deps, flock.flock_id, record, attention)
    })
    if (isPerson(begun)) return goOn('added')
    reply.header('Cache-Control', 'no-store')
    return sendJson(reply, { result: 'success', flock_id: flock.flock_id, team, channel })
  })

  function readState(text: string): State {
    let state: State
    try {
      state = readCursor(vault, STATE, text) as State
    } catch {
      throw invalidParameter('state', 'must be the one that the authorisation began with')
    }
    if (state.expiresAt <= world.clock.now()) throw spent()
    return state
  }

  /** The authorisation, which is then over; one whose key does not work any more is void. */
  async function take(nonce: string): Promise<Authorisation> {
    const begun = await writer.write((tx) => takeAuthorisation(tx.query, nonce))
    if (!begun) throw spent()
    if (isPerson(begun)) await assertManages(begun)
    else await assertKey(begun)
    return begun
  }

  async function assertKey({ key_id }: Authorisation): Promise<void> {
    const key = await findKey(reader, key_id)
    if (!key || (key.expires_at !== null && key.expires_at <= world.clock.now()))
      throw new Fault('forbidden', 'The key that began this authorisation was removed or has expired.')
    if ((await readSettings(reader)).api_enabled === 'false')
      throw new Fault('forbidden', 'The API was switched off after this authorisation had begun.')
  }

  async function assertManages({ key_id: email, flock_id }: Authorisation): Promise<void> {
    const user = await findUser(reader, email)
    const manages = async (userId: string): Promise<boolean> =>
      (await listRoles(reader)).some(
        (it) => it.user_id === userId && it.flock_id === flock_id && it.role === 'manager',
      )
    if (user?.disabled === 0 && (user.access_level === 'admin' || (await manages(user.user_id)))) return
    throw new Fault('forbidden', 'The person who began this authorisation may not change the Flock any more.')
  }
}

/** The actor is an address, and no id of a key. */
const isPerson = ({ key_id }: Authorisation): boolean => key_id.includes('@')

const spent = (): Fault =>
  invalidParameter('state', 'has expired or was used already: begin again on the page of receivers')

const queryOf = ({ raw: { url = '' } }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
