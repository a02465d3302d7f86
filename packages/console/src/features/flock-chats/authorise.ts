// Adding a channel of a chat service. An admin's key begins (`start`), the browser is sent to the service, comes back
// with a code (`callback`), and the code is exchanged for the channel's webhook. What ties the two ends together is
// `state`: signed, good for ten minutes and for one end.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../../app-context.ts'
import type { Config } from '../../config.ts'
import type { Tx } from '../../db/query.ts'
import type { Authenticate } from '../../http/authenticate.ts'
import { sendJson } from '../../http/json.ts'
import { quoted } from '../../notify/message/facts.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import {
  beginAuthorisation,
  takeAuthorisation,
  type Authorisation,
} from '../../stores/webhooks/authorisations.store.ts'
import { existingFlock, type Flock } from '../../stores/flocks/store.ts'
import { findKey } from '../../stores/keys/store.ts'
import { readSettings } from '../../stores/settings/store.ts'
import { addChannel } from '../../notify/receivers/chatops/channels.ts'
import {
  authorisePage,
  chatProvider,
  exchangeCode,
  notGranted,
  type ChatProvider,
} from '../../notify/receivers/chatops/provider.ts'

/** Who changes which Flock, for the audit trail. */
export interface Authorised {
  readonly keyId: string
  readonly address: string
  readonly flock: Flock
  readonly team: string
  readonly channel: string
}

export interface AuthorisationDeps extends Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'> {
  readonly authenticate: Authenticate
  /** They name the app that is registered with the chat service. */
  readonly options: Config
  /** `ROOKERY_PUBLIC_URL`, or undefined: then the request's own host is used. */
  readonly publicUrl: string | undefined
  /** Writes the channel, and what is owed for a change. */
  readonly change: (authorised: Authorised, work: (tx: Tx) => Promise<void>) => Promise<void>
}

interface State {
  readonly nonce: string
  readonly expiresAt: number
  readonly redirectUri: string
}

const LIST = 'chat authorisation'
const LIFETIME_MS = 600_000
const CALLBACK = '/oauth/chatops/callback'
/** A browser that only looks ahead must not use a state up. */
const NO_HEAD = { exposeHeadRoute: false }

export function serveAuthorisation(server: FastifyInstance, deps: AuthorisationDeps): void {
  const { reader, writer, vault, world, authenticate, change } = deps

  const provider = (): ChatProvider => {
    const chat = chatProvider(deps.options)
    if (chat) return chat
    throw new Fault(
      'conflict',
      'No chat service is configured: set ROOKERY_CHATOPS_CLIENT_ID and ROOKERY_CHATOPS_CLIENT_SECRET.',
    )
  }

  server.get('/oauth/chatops/start', NO_HEAD, async (request, reply) => {
    const query = queryOf(request)
    const caller = await authenticate(keyOf(request, query), request.ip)
    if (caller.type !== 'admin')
      throw new Fault('forbidden', `This needs a key of type admin; key ${caller.keyId} is ${caller.type}.`)
    const flockId = query.get('flock_id') ?? ''
    if (flockId === '') throw invalidParameter('flock_id', 'is required')
    await existingFlock(reader, caller.scope, flockId)
    const chat = provider()
    const now = world.clock.now()
    const redirectUri = `${deps.publicUrl ?? `${request.protocol}://${request.host}`}${CALLBACK}`
    const state: State = { nonce: hex(world.random, 32), expiresAt: now + LIFETIME_MS, redirectUri }
    const row = { nonce: state.nonce, flock_id: flockId, key_id: caller.keyId, expires_at: state.expiresAt }
    await writer.write((tx) => beginAuthorisation(tx, row, now))
    return reply
      .header('Cache-Control', 'no-store')
      .header('Referrer-Policy', 'no-referrer')
      .redirect(authorisePage(chat, redirectUri, signCursor(vault, LIST, state)), 302)
  })

  server.get(CALLBACK, NO_HEAD, async (request, reply) => {
    const query = queryOf(request)
    const { redirectUri, nonce } = readState(query.get('state') ?? '')
    const begun = await take(nonce)
    const refused = query.get('error')
    if (refused !== null) throw notGranted(`It said ${quoted(refused)}.`)
    const code = query.get('code') ?? ''
    if (code === '' || code.length > 1_000)
      throw invalidParameter('code', 'must be the code that the chat service gave')
    const flock = await existingFlock(reader, 'all', begun.flock_id)
    const record = await exchangeCode(world.outbound, provider(), code, redirectUri)
    const { team, channel } = record
    const authorised = { keyId: begun.key_id, address: request.ip, flock, team, channel }
    await change(authorised, async (tx) => {
      await existingFlock(tx.query, 'all', flock.flock_id)
      await addChannel(tx, deps, flock.flock_id, record)
    })
    reply.header('Cache-Control', 'no-store')
    return sendJson(reply, { result: 'success', flock_id: flock.flock_id, team, channel })
  })

  function readState(text: string): State {
    let state: State
    try {
      state = readCursor(vault, LIST, text) as State
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
    const key = await findKey(reader, begun.key_id)
    if (!key || (key.expires_at !== null && key.expires_at <= world.clock.now()))
      throw new Fault('forbidden', 'The key that began this authorisation was removed or has expired.')
    if ((await readSettings(reader)).api_enabled === 'false')
      throw new Fault('forbidden', 'The API was switched off after this authorisation had begun.')
    return begun
  }
}

const spent = (): Fault =>
  invalidParameter('state', 'has expired or was used already: begin again with /oauth/chatops/start')

const queryOf = ({ raw: { url = '' } }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

function keyOf({ headers }: FastifyRequest, query: URLSearchParams): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const given = query.get('auth_token') ?? headers['x-auth-token'] ?? bearer
  return typeof given === 'string' && given !== '' ? given : undefined
}
