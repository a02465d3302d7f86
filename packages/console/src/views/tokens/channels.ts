// The channels by which tokens are met, and what keeps a touch from coming in by one of them.
import type { TokenChannel } from '@rookery/contract/records/token-channel.ts'
import { epoch, std } from '@rookery/kernel/time.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import { channelNames, isChannelName, type ChannelName } from '@rookery/tokens/visit.ts'
import type { Static } from 'typebox'
import { hostPort } from '../../net/host-port.ts'
import { isLoopbackHost } from '../../net/own-address.ts'
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

const REMEDIES: { readonly [C in ChannelName]: Remedy } = {
  http: {
    hostOf: (named) => (URL.canParse(named) ? new URL(named).hostname : named),
    name: 'set ROOKERY_TOKENS_URL to an address that others can reach',
    tryOut: 'open the URL of a token from another machine',
    open: 'set ROOKERY_TOKENS_LISTEN to a free address',
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

/** The channels that a kind needs: those whose visits it handles. */
export const channelsOf = (kind: string): readonly ChannelName[] =>
  channelNames.filter((channel) => kinds[kind]?.on[channel] !== undefined)

/** Whether the channel is open, and artefacts name this machine: nobody else is meant to reach it. */
export const isForThisMachine = ({
  channel,
  listens,
  named,
}: Pick<ChannelView, 'listens' | 'named'> & { readonly channel: string }): boolean =>
  isChannelName(channel) && listens !== '' && isLoopbackHost(REMEDIES[channel].hostOf(named))

/** Sentences that say why a touch by this channel may never come in; none once it was reached. */
export function missingOf(channel: ChannelName, row: ChannelRow | undefined): string[] {
  const { hostOf, name, tryOut, mayBeOff, open } = REMEDIES[channel]
  if (!row) return [`No console has opened the ${channel} channel: start one that serves tokens.`]
  const { listens, named, reached_at } = row
  if (listens === '') {
    const why = mayBeOff ? 'it is off or its address is taken' : 'its address is taken'
    return [`The ${channel} channel is closed, since ${why}: ${open}.`]
  }
  if (isLoopbackHost(hostOf(named)))
    return [`Artefacts name ${named}, which this machine alone can reach: ${name}.`]
  return reached_at > 0
    ? []
    : [`No other machine has reached the ${channel} channel at ${named} yet: ${tryOut}.`]
}

export function channelViews(rows: readonly ChannelRow[]): ChannelView[] {
  const byName = new Map(rows.map((row) => [row.channel, row]))
  return channelNames.map((channel) => {
    const row = byName.get(channel)
    return {
      channel,
      listens: row?.listens ?? '',
      named: row?.named ?? '',
      kinds: Object.keys(kinds).filter((kind) => channelsOf(kind).includes(channel)),
      ...timesOf('touched', row?.touched_at),
      ...timesOf('reached', row?.reached_at),
      reached_from: row?.reached_from ?? '',
      missing: missingOf(channel, row),
    }
  })
}

const timesOf = <Name extends string>(name: Name, at = 0) =>
  ({
    [name]: at === 0 ? null : epoch(at),
    [`${name}_std`]: at === 0 ? '' : std(at),
  }) as { [K in Name]: number | null } & { [K in `${Name}_std`]: string }

/** What keeps touches of a new token from coming in. */
export function tokenWarnings(
  rows: readonly ChannelRow[],
  { kind, customDomain, zone }: { kind: string; customDomain: string | undefined; zone: string },
): string[] {
  const needed = channelsOf(kind)
  const channels = rows.filter(({ channel }) => needed.some((name) => name === channel))
  return [
    ...needed.flatMap((name) =>
      missingOf(
        name,
        channels.find(({ channel }) => channel === name),
      ),
    ),
    ...domainWarnings(customDomain, zone),
  ]
}

function domainWarnings(customDomain: string | undefined, zone: string): string[] {
  const domain = customDomain?.toLowerCase().replace(/\.$/, '')
  if (domain === undefined || domain === zone || domain.endsWith(`.${zone}`)) return []
  return [
    `The DNS server of this console serves ${zone} alone: names in ${domain} resolve, and look-ups of them fire, only as your own zone says.`,
  ]
}
