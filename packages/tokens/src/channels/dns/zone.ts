// Our zone: what each of its names answers. Every name exists, so that a live token and an unknown one look alike.
import { RCODE, type DnsQuery } from './query.ts'
import { TYPE } from './record-types.ts'
import { refusal, type DnsRecord, type DnsResponse } from './response.ts'
import { blankAnswer } from './blank.ts'
import type { DnsAnswer } from './visit.ts'

export interface Zone {
  /** In lower case: `['tokens', 'example', 'com']`. */
  readonly labels: readonly string[]
  /** What names of tokens resolve to. */
  readonly ipv4: readonly Uint8Array[]
  readonly ipv6: readonly Uint8Array[]
}

/** Where in the zone a name lies. */
export type Place =
  | { readonly name: 'outside' }
  | { readonly name: 'apex' }
  | { readonly name: 'name-server' }
  /** The name below which leaves do not exist. */
  | { readonly name: 'nx-apex' }
  | {
      readonly name: 'host'
      /** The label that has the form of an id; without one, that in front of the zone. */
      readonly host: string
      /** Labels in front of that one, which the client chose. */
      readonly labels: readonly string[]
      readonly isNx: boolean
    }

const NAME_SERVER = 'ns1'
/** Where an authority looks for the proof that the zone is ours (RFC 8555, 8.4). */
const ACME_CHALLENGE = '_acme-challenge'
const NX = 'nx'
/** Of a token id. */
export const ID_CHARACTERS = 25
const ID = /^[a-z0-9]+$/
/** Of the domain of a token, in front of the zone: look-ups of unknown names read them all. */
export const MAX_DOMAIN_LABELS = 4
/** A short time, so that a second visit is seen as well. */
const HOST_TTL_S = 10
const APEX_TTL_S = 600
/** How long a resolver may remember that something does not exist (RFC 2308, 5). */
const NEGATIVE_TTL_S = 5

export function placeOf(labels: readonly string[], zone: Pick<Zone, 'labels'>): Place {
  const inFront = labels.length - zone.labels.length
  if (inFront < 0 || zone.labels.some((label, at) => labels[inFront + at] !== label))
    return { name: 'outside' }
  const last = labels[inFront - 1]
  if (last === undefined) return { name: 'apex' }
  if (last === NAME_SERVER && inFront === 1) return { name: 'name-server' }
  if (last !== NX) return hostIn(labels, inFront)
  const host = labels[inFront - 2]
  return host === undefined
    ? { name: 'nx-apex' }
    : { name: 'host', host, labels: labels.slice(0, inFront - 2), isNx: true }
}

/** A token may have a domain below the zone: `<token id>.files.<zone>`, and `p.<token id>.nx.files.<zone>`. */
function hostIn(labels: readonly string[], inFront: number): Place {
  const outermost = Math.max(0, inFront - 1 - MAX_DOMAIN_LABELS - 1)
  for (let at = inFront - 1; at >= outermost; at--) {
    const host = labels[at]
    if (host === undefined || !hasFormOfId(host)) continue
    const isNx = at + 1 < inFront && labels[at + 1] === NX
    return { name: 'host', host, labels: labels.slice(0, at), isNx }
  }
  return { name: 'host', host: labels[inFront - 1] ?? '', labels: labels.slice(0, inFront - 1), isNx: false }
}

const hasFormOfId = (label: string): boolean => label.length === ID_CHARACTERS && ID.test(label)

/** Whether names of tokens in the domain, in lower case, are found: it is the zone, or lies a few labels below it. */
export function isServedDomain(domain: string, zone: Zone['labels']): boolean {
  const id = '0'.repeat(ID_CHARACTERS)
  const labels = domain.split('.')
  const found = [[id], [id, NX]].map((name) => placeOf([...name, ...labels], { labels: zone }))
  return found.every((place, at) => place.name === 'host' && place.host === id && place.isNx === (at === 1))
}

/** Whether the question is that of an authority: then the texts of the present challenges answer it. */
export const isAcmeChallenge = ({ type }: Pick<DnsQuery, 'type'>, place: Place): boolean =>
  type === TYPE.TXT &&
  place.name === 'host' &&
  place.host === ACME_CHALLENGE &&
  place.labels.length === 0 &&
  !place.isNx

export interface AnswerContent {
  /** The token's, for a name that is one. */
  readonly answer?: DnsAnswer | undefined
  /** In ASCII, at most 255 characters each, for the name of an ACME challenge. */
  readonly texts?: readonly string[]
}

/** What the question gets. */
export function respond(
  { type, isInternet, edns }: DnsQuery,
  place: Place,
  zone: Zone,
  { answer, texts = [] }: AnswerContent = {},
): DnsResponse {
  if (edns && edns.version !== 0) return refusal(RCODE.BADVERS)
  if (place.name === 'outside' || !isInternet || isTransfer(type)) return refusal()
  if (place.name === 'host' && (answer ?? blankAnswer(place)) === 'no-such-name')
    return { ...negative, rcode: RCODE.NXDOMAIN }
  const answers = isAcmeChallenge({ type }, place) ? texts.map(textRecord) : answersOf(type, place, zone)
  if (answers.length === 0) return negative
  const additional =
    type === TYPE.NS
      ? [ipv4Records, ipv6Records].flatMap((records) => records([NAME_SERVER], APEX_TTL_S, zone))
      : []
  return { rcode: RCODE.NOERROR, isAuthoritative: true, answers, authorities: [], additional }
}

function answersOf(type: number, place: Place, zone: Zone): readonly DnsRecord[] {
  if (type === TYPE.ANY) return [anyAnswer]
  if (place.name === 'apex' && type === TYPE.SOA) return [{ ...soa, ttl: APEX_TTL_S }]
  if (place.name === 'apex' && type === TYPE.NS) return [nameServer]
  if (type !== TYPE.A && type !== TYPE.AAAA) return []
  if (place.name === 'nx-apex' || (place.name === 'host' && place.isNx)) return []
  const ttl = place.name === 'host' ? HOST_TTL_S : APEX_TTL_S
  return type === TYPE.A ? ipv4Records('question', ttl, zone) : ipv6Records('question', ttl, zone)
}

/** IXFR, AXFR and the two obsolete types between them and ANY. */
const isTransfer = (type: number): boolean => type >= 251 && type < TYPE.ANY

const ipv4Records = (owner: DnsRecord['owner'], ttl: number, { ipv4 }: Zone): DnsRecord[] =>
  ipv4.map((address) => ({ owner, ttl, type: TYPE.A, value: [address] }))

const ipv6Records = (owner: DnsRecord['owner'], ttl: number, { ipv6 }: Zone): DnsRecord[] =>
  ipv6.map((address) => ({ owner, ttl, type: TYPE.AAAA, value: [address] }))

/** One character string: its length, then its characters (RFC 1035, 3.3.14). */
const textRecord = (text: string): DnsRecord => ({
  owner: 'question',
  type: TYPE.TXT,
  ttl: HOST_TTL_S,
  value: [Buffer.from([text.length]), Buffer.from(text, 'latin1')],
})

const nameServer: DnsRecord = {
  owner: 'question',
  type: TYPE.NS,
  ttl: APEX_TTL_S,
  value: [[NAME_SERVER]],
}

/** Two texts: `RFC8482` and an empty one (RFC 8482, 4.2). */
const anyAnswer: DnsRecord = {
  owner: 'question',
  type: TYPE.HINFO,
  ttl: APEX_TTL_S,
  value: [Buffer.from('\x07RFC8482\x00')],
}

/** There is no second server, and the zone never changes. */
const SOA_NUMBERS = [
  1, // serial
  3_600, // refresh
  600, // retry
  86_400, // expire
  NEGATIVE_TTL_S, // minimum (RFC 2308, 4)
]

const soa: DnsRecord = {
  owner: [],
  type: TYPE.SOA,
  ttl: NEGATIVE_TTL_S,
  value: [[NAME_SERVER], ['hostmaster'], Buffer.from(Uint32Array.from(SOA_NUMBERS).buffer).swap32()],
}

/** NODATA, with the SOA that says for how long (RFC 2308, 2.2): without it some resolvers ask again. */
const negative: DnsResponse = {
  rcode: RCODE.NOERROR,
  isAuthoritative: true,
  answers: [],
  authorities: [soa],
  additional: [],
}
