// From a message to its answer, whatever the transport: a query for a token is answered after its touch is committed.
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { World } from '@rookery/kernel/world.ts'
import { readQuery, type DnsQuery } from '@rookery/tokens/channels/dns/query.ts'
import { isAskedByClients, typeName } from '@rookery/tokens/channels/dns/record-types.ts'
import { truncated, writeFailure, writeResponse, refusal } from '@rookery/tokens/channels/dns/response.ts'
import type { DnsVisit } from '@rookery/tokens/channels/dns/visit.ts'
import {
  ID_CHARACTERS,
  isAcmeChallenge,
  placeOf,
  respond,
  type AnswerContent,
  type Place,
  type Zone,
} from '@rookery/tokens/channels/dns/zone.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { Logger } from 'pino'
import { findTokenId } from '../../secrets/token-id.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { TokenTouches } from '../token-touches.ts'
import { resolverNetwork } from './resolver-network.ts'

export interface Asked {
  readonly transport: 'udp' | 'tcp'
  /** In its plain spelling, as events show it. */
  readonly srcHost: string
  /** Where the query arrived. */
  readonly dstHost: string
}

/** Calls `reply` at most once, at once or after the commit; never for what must not be answered. */
export type Answerer = (message: Buffer, asked: Asked, reply: (answer: Buffer) => void) => void

export interface AnswererDeps {
  readonly world: Pick<World, 'clock'>
  readonly vault: Vault
  readonly log: Logger
  readonly touches: Pick<TokenTouches, 'submit'>
  readonly zone: Zone
  /** Called for every query of the zone, whether it names a token or not. */
  readonly onRequest: (srcHost: string) => void
  /** The texts that prove to an authority that the zone is ours; none while no certificate is ordered. */
  readonly acmeTexts: () => Promise<readonly string[]>
  /** UDP queries of one /24 or /56 within a second; beyond them it is sent to TCP, which has the same bound. */
  readonly perNetwork: Limit
}

/** `ROOKERY_DNS_QUERIES_PER_SECOND` sets its number. */
export const QUERIES_PER_NETWORK = limit('dns_queries_per_network', 1_000)
/** Networks (IPv4 /24, IPv6 /56) whose queries are counted. */
const NETWORKS = limit('dns_networks', 10_000)
/** Queries whose touches are being stored; further ones are not answered. */
const PENDING = limit('dns_queries_pending', 10_000)
/** Resolvers ask at this port alone, wherever we listen. */
const DNS_PORT = 53

export function openAnswerer({
  world,
  vault,
  log,
  touches,
  zone,
  perNetwork,
  onRequest,
  acmeTexts,
}: AnswererDeps): Answerer {
  const recent = windowCounter<string>(NETWORKS, 1_000)
  let pending = 0

  /** The token that the name is of, if the query is one that a client makes. */
  function tokenOf({ type, isInternet, edns }: DnsQuery, place: Place): string | undefined {
    if (place.name !== 'host' || place.host.length !== ID_CHARACTERS) return undefined
    if (!isInternet || !isAskedByClients(type) || (edns && edns.version !== 0)) return undefined
    return findTokenId(place.host, vault)
  }

  async function touch(tokenId: string, visit: DnsVisit, dstHost: string): Promise<AnswerContent> {
    try {
      const receivedAt = world.clock.now()
      const touched = { tokenId, visit, srcPort: 0, dstHost, receivedAt }
      const { kind, settings, visited } = await touches.submit(touched)
      return kind === undefined ? {} : { answer: kinds[kind]?.on.dns?.answer?.(visit, settings, visited) }
    } catch (error) {
      log.error({ err: error }, 'token answer failed')
      return {}
    }
  }

  async function challengeContent(): Promise<AnswerContent> {
    try {
      return { texts: await acmeTexts() }
    } catch {
      // The authority asks again; the outage is logged where it is noticed.
      return {}
    }
  }

  return (message, { transport, srcHost, dstHost }, reply) => {
    const query = readQuery(message)
    if (query === undefined) return
    if ('rcode' in query) return reply(writeFailure(query))
    const place = placeOf(query.labels, zone)
    const zoneLabels = place.name === 'outside' ? 0 : zone.labels.length
    const network = resolverNetwork(srcHost)
    if (transport === 'udp' && recent.count(network, world.clock.now()) > perNetwork.max) {
      perNetwork.hit()
      return reply(truncated(query, { ...refusal(0), isAuthoritative: zoneLabels > 0 }))
    }
    if (zoneLabels > 0) onRequest(srcHost)
    const send = (content?: AnswerContent): void =>
      reply(writeResponse(query, respond(query, place, zone, content), { zoneLabels, transport }))
    const sendLater = (find: () => Promise<AnswerContent>): void => {
      // The resolver asks again.
      if (pending >= PENDING.max) return PENDING.hit()
      pending++
      void find().then((content) => {
        pending--
        send(content)
      })
    }
    if (isAcmeChallenge(query, place)) return sendLater(challengeContent)
    const tokenId = tokenOf(query, place)
    if (tokenId === undefined || place.name !== 'host') return send()
    const visit = visitOf(query, place, srcHost, network)
    sendLater(() => touch(tokenId, visit, dstHost))
  }
}

const visitOf = (
  { labels, type, edns }: DnsQuery,
  place: Extract<Place, { name: 'host' }>,
  srcHost: string,
  network: string,
): DnsVisit => ({
  channel: 'dns',
  qname: labels.join('.'),
  qtype: typeName(type),
  labels: place.labels,
  isNx: place.isNx,
  network,
  ...(edns?.clientSubnet !== undefined && { clientSubnet: edns.clientSubnet }),
  srcHost,
  dstPort: DNS_PORT,
  headers: {},
})
