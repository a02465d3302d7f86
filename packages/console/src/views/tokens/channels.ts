// The channels by which tokens are met, and what keeps a touch from coming in by one of them.
import type { TokenChannel } from '@rookery/contract/records/token-channel.ts'
import { epoch, std } from '@rookery/kernel/time.ts'
import { ID_CHARACTERS, isServedDomain, MAX_DOMAIN_LABELS } from '@rookery/tokens/channels/dns/zone.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import {
  CHANNEL_OF_HTTPS,
  channelNames,
  isServedChannel,
  servedChannels,
  type ServedChannel,
} from '@rookery/tokens/visit.ts'
import type { Static } from 'typebox'
import { hostPort } from '../../addresses/host-port.ts'
import { isLoopbackHost } from '../../addresses/own-address.ts'
import type { ChannelRow } from '../../stores/channels/store.ts'

type ChannelView = Static<typeof TokenChannel>

interface Remedy {
  /** The host that artefacts name, out of `named`. */
  readonly hostOf: (named: string) => string
  /** What the operator does so that artefacts name something that others can reach. */
  readonly name: string
  /** How the operator sees whether others can reach it. */
  readonly tryOut: string
  /** Whether its option takes `off`. */
  readonly mayBeOff?: true
  /** What the operator does where it is closed. */
  readonly open: string
}

const hostOfUrl = (named: string): string => (URL.canParse(named) ? new URL(named).hostname : named)

const REMEDIES: { readonly [C in ServedChannel]: Remedy } = {
  http: {
    hostOf: hostOfUrl,
    name: 'set ROOKERY_TOKENS_URL to an address that others can reach',
    tryOut: 'open the URL of a token from another machine',
    open: 'set ROOKERY_TOKENS_LISTEN to a free address',
  },
  https: {
    hostOf: hostOfUrl,
    name: 'set ROOKERY_TOKENS_TLS_URL to an address that others can reach',
    tryOut: 'open the URL of a token from another machine',
    open: 'set ROOKERY_TOKENS_TLS_LISTEN to a free address',
  },
  dns: {
    hostOf: (named) => named,
    name: 'set ROOKERY_TOKENS_DOMAIN to a zone that is delegated to this console',
    tryOut: 'look up a name of the zone from another machine, and check its delegation and port 53',
    open: 'set ROOKERY_DNS_LISTEN to a free address',
  },
  wireguard: {
    hostOf: (named) => hostPort(named).host,
    name: 'set ROOKERY_TOKENS_WIREGUARD_AT to an address that others can reach',
    tryOut: 'bring up the configuration of a token on another machine',
    mayBeOff: true,
    open: 'set ROOKERY_TOKENS_WIREGUARD_LISTEN to a free address',
  },
  mysql: loginRemedy('MYSQL'),
  postgres: loginRemedy('POSTGRES'),
}

function loginRemedy(option: 'MYSQL' | 'POSTGRES'): Remedy {
  return {
    hostOf: (named) => hostPort(named).host,
    name: `set ROOKERY_TOKENS_DOMAIN to a zone that is delegated to this console, or ROOKERY_TOKENS_${option}_AT to what others can reach`,
    tryOut: 'log in there from another machine, and check its port in the firewall',
    mayBeOff: true,
    open: `set ROOKERY_TOKENS_${option}_LISTEN to a free address`,
  }
}

/** Rows by channel. */
type Rows = ReadonlyMap<string, ChannelRow>

const byChannel = (rows: readonly ChannelRow[]): Rows => new Map(rows.map((row) => [row.channel, row]))

const needsHttps = (kind: string): boolean => kinds[kind]?.descriptor.needsHttps === true

/** The channels by which a kind is met: those whose visits it handles; HTTPS for those whose artefacts name it. */
const channelsOf = (kind: string): readonly ServedChannel[] => [
  ...channelNames.filter((channel) => kinds[kind]?.on[channel] !== undefined),
  ...(needsHttps(kind) ? (['https'] as const) : []),
]

/** Whether artefacts name this machine, and it listens: nobody else is meant to reach the channel. */
export const isForThisMachine = ({
  channel,
  listens,
  named,
}: Pick<ChannelView, 'listens' | 'named'> & { readonly channel: string }): boolean =>
  isServedChannel(channel) &&
  (listens !== '' || !isUsed(channel, named)) &&
  isLoopbackHost(REMEDIES[channel].hostOf(named))

/** Artefacts name HTTP where no address by HTTPS is set: then its listener matters to nobody. */
const isUsed = (channel: ServedChannel, named: string): boolean =>
  channel !== 'https' || named.startsWith('https:')

/** Sentences that say why a touch by this channel may never come in; none once it was reached. */
function missingOf(channel: ServedChannel, rows: Rows): string[] {
  const row = rows.get(channel)
  const { hostOf, name, tryOut, mayBeOff, open } = REMEDIES[channel]
  if (!row) return [`No console has opened the ${channel} channel: start one that serves tokens.`]
  const { listens, named } = row
  const isLoopback = isLoopbackHost(hostOf(named))
  if (!isUsed(channel, named))
    return isLoopback
      ? []
      : [
          `Artefacts name ${named} where clients want HTTPS: set ROOKERY_TOKENS_TLS_URL to an address whose certificate they trust.`,
        ]
  if (listens === '') {
    const why = mayBeOff ? 'it is off or its address is taken' : 'its address is taken'
    return [`The ${channel} channel is closed, since ${why}: ${open}.`]
  }
  if (isLoopback) return [`Artefacts name ${named}, which this machine alone can reach: ${name}.`]
  return [
    ...(row.certificate_problem === '' ? [] : [row.certificate_problem]),
    ...(isReached(row, rows)
      ? []
      : [`No other machine has reached the ${channel} channel at ${named} yet: ${tryOut}.`]),
  ]
}

/** A proxy may take HTTPS at the address, and pass it on by HTTP. */
const isReached = ({ named }: ChannelRow, rows: Rows): boolean =>
  [...rows.values()].some((row) => row.named === named && row.reached_at > 0)

export function channelViews(rows: readonly ChannelRow[]): ChannelView[] {
  const known = byChannel(rows)
  return servedChannels.map((channel) => {
    const row = known.get(channel)
    return {
      channel,
      listens: row?.listens ?? '',
      named: row?.named ?? '',
      kinds: Object.keys(kinds).filter((kind) => channelsOf(kind).includes(channel)),
      ...timesOf('touched', row?.touched_at),
      ...timesOf('reached', row?.reached_at),
      reached_from: row?.reached_from ?? '',
      certificate: row?.certificate ?? '',
      missing: missingOf(channel, known),
    }
  })
}

const timesOf = <Name extends string>(name: Name, at = 0) =>
  ({
    [name]: at === 0 ? null : epoch(at),
    [`${name}_std`]: at === 0 ? '' : std(at),
  }) as { [K in Name]: number | null } & { [K in `${Name}_std`]: string }

interface WarningFacts {
  readonly kind: string
  readonly settings: TokenSettings
  readonly customDomain: string | undefined
  readonly zone: string
}

/** What keeps touches of a new token from coming in. */
export function tokenWarnings(
  rows: readonly ChannelRow[],
  { kind, settings, customDomain, zone }: WarningFacts,
): string[] {
  const definition = kinds[kind]
  const creationWarning = definition?.creationWarning?.(settings)
  const ownWarnings = creationWarning === undefined ? [] : [creationWarning]
  if (definition?.isMetElsewhere?.(settings)) return ownWarnings
  const known = byChannel(rows)
  const isByHttps = needsHttps(kind) && isUsed('https', known.get('https')?.named ?? '')
  const needed = channelsOf(kind).filter((channel) => channel !== CHANNEL_OF_HTTPS || !isByHttps)
  return [
    ...ownWarnings,
    ...needed.flatMap((channel) => missingOf(channel, known)),
    ...domainWarnings(customDomain, zone),
    ...lengthWarnings(definition?.descriptor.lookUpCharacters, customDomain ?? zone),
    ...(isByHttps && customDomain !== undefined
      ? [
          `The URL names ${customDomain} by HTTPS: one of the certificates in ROOKERY_TOKENS_TLS_CERT must be for it.`,
        ]
      : []),
  ]
}

function domainWarnings(customDomain: string | undefined, named: string): string[] {
  const [domain, zone = ''] = [customDomain, named].map((it) => it?.toLowerCase().replace(/\.$/, ''))
  if (domain === undefined || isServedDomain(domain, zone.split('.'))) return []
  if (domain.endsWith(`.${zone}`))
    return [
      `Look-ups of names in ${domain} may stay silent: use ${zone}, or at most ${MAX_DOMAIN_LABELS} labels in front of it, none of them nx or of ${ID_CHARACTERS} letters and digits.`,
    ]
  return [
    `The DNS server of this console serves ${zone} alone: names in ${domain} resolve, and look-ups of them fire, only as your own zone says.`,
  ]
}

/** Of a name (RFC 1035, 2.3.4). */
const MAX_NAME_CHARACTERS = 253
const ID_WITH_DOT = ID_CHARACTERS + 1

function lengthWarnings(lookUpCharacters: number | undefined, domain: string): string[] {
  const most = MAX_NAME_CHARACTERS - ID_WITH_DOT - (lookUpCharacters ?? 0)
  if (lookUpCharacters === undefined || domain.length <= most) return []
  return [
    `Under ${domain}, long names of users and computers make names that are longer than DNS allows, so their look-ups stay silent: use a domain of at most ${most} characters.`,
  ]
}
