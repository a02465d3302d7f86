// The touch of a self-test, by each channel: sent as its clients send it, to where artefacts of the token name it.
import { mysqlLogin, postgresStart } from '@rookery/tokens/client-logins.ts'
import { sealInitiation } from '@rookery/tokens/channels/wireguard/seal-initiation.ts'
import type { TokenAddress, WireguardPlacement } from '@rookery/tokens/token.ts'
import type { ChannelName } from '@rookery/tokens/visit.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Advertised, World } from '@rookery/kernel/world.ts'
import { hostPort } from '../../../addresses/host-port.ts'

export interface ProbeDeps {
  readonly world: World
  /** Where the console is advertised. */
  readonly own: readonly Advertised[]
  readonly wireguard: WireguardPlacement
}

/** The token in the place of which the test is met: its id is that of the test. */
export interface Probed {
  readonly address: TokenAddress
  /** Private key of its WireGuard client; undefined where its kind has none. */
  readonly clientKey: Uint8Array | undefined
}

/** What happened, in a sentence; `warning` is what real clients may refuse. Rejects with a `Fault` for what failed. */
export interface ProbeOutcome {
  readonly text: string
  readonly warning?: string
}

type Probe = (probed: Probed, deps: ProbeDeps) => Promise<ProbeOutcome>

const TIMEOUT_MS = 5_000

export const probes: { readonly [C in ChannelName]: Probe } = {
  async http({ address: { url } }, { world, own }) {
    const { hostname, port, protocol, pathname } = new URL(url)
    const isTls = protocol === 'https:'
    const to = {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || (isTls ? 443 : 80),
    }
    const request = `GET ${pathname} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nUser-Agent: self-test\r\nConnection: close\r\n\r\n`
    let isSent = false
    const { address, received, certificateFailure } = await world.selfDial.stream({
      to,
      own,
      isTls,
      timeoutMs: TIMEOUT_MS,
      talk(bytes) {
        if (isSent) return statusOf(bytes) === undefined ? undefined : 'end'
        isSent = true
        return Buffer.from(request)
      },
    })
    const status = statusOf(received)
    if (status === undefined)
      throw new Fault('unavailable', `${address} port ${to.port} did not answer HTTP to GET ${url}.`)
    return {
      text: `GET ${url} reached ${address}, which answered ${status}`,
      ...(certificateFailure !== '' && {
        warning: `Clients that check certificates refuse this one: ${certificateFailure}.`,
      }),
    }
  },

  async dns({ address: { hostname } }, { world: { resolver } }) {
    const found = await (resolver.records ?? resolver.addresses)(hostname)
    if (found.length === 0)
      throw new Fault(
        'unavailable',
        `The resolver of this machine has no address for ${hostname}: its zone must be delegated to this console, and port 53 must lead to its DNS listener.`,
      )
    return { text: `The resolver of this machine answered ${found.join(', ')} for ${hostname}` }
  },

  mysql: ({ address: { tokenId, mysql } }, deps) =>
    logIn('mysql', mysql, deps, (received) =>
      received.length === 0 ? undefined : mysqlLogin({ user: tokenId }),
    ),

  postgres: ({ address: { tokenId, postgres } }, deps) =>
    logIn('postgres', postgres, deps, () => postgresStart({ user: tokenId, database: tokenId })),

  async wireguard({ clientKey }, { world, own, wireguard: { endpoint, publicKey } }) {
    if (!clientKey) throw new Fault('conflict', 'The kind of the token has no WireGuard client.')
    const message = sealInitiation({
      own: clientKey,
      ephemeral: world.random.bytes(32),
      responder: Buffer.from(publicKey, 'base64'),
      sentAt: world.clock.now(),
    })
    const address = await world.selfDial.datagram(
      { to: hostPort(endpoint), own, timeoutMs: TIMEOUT_MS },
      message,
    )
    return {
      text: `An initiation was sent to ${address} port ${hostPort(endpoint).port}; WireGuard never answers`,
    }
  },
}

/** Logs in, and waits for the refusal. */
async function logIn(
  channel: 'mysql' | 'postgres',
  to: Advertised | undefined,
  { world, own }: ProbeDeps,
  login: (received: Uint8Array) => Uint8Array | undefined,
): Promise<ProbeOutcome> {
  if (!to)
    throw new Fault(
      'conflict',
      `The token has no address by ${channel}: the channel was off when it was created.`,
    )
  let before: number | undefined
  const { address, received } = await world.selfDial.stream({
    to,
    own,
    isTls: false,
    timeoutMs: TIMEOUT_MS,
    talk(bytes) {
      if (before !== undefined) return bytes.length > before ? 'end' : undefined
      const sent = login(bytes)
      if (sent) before = bytes.length
      return sent
    },
  })
  if (before === undefined || received.length <= before)
    throw new Fault(
      'unavailable',
      `${address} port ${to.port} closed the connection before it answered a login.`,
    )
  return { text: `A login at ${address} port ${to.port} was answered` }
}

const statusOf = (bytes: Uint8Array): string | undefined =>
  /^HTTP\/1\.[01] (\d{3})/.exec(Buffer.from(bytes.subarray(0, 64)).toString('latin1'))?.[1]
