// The token DNS server: authoritative for one zone, by UDP and TCP at the same port.
import { hostPort, hostPortText } from '../../addresses/host-port.ts'
import { bindUdp, closeUdp } from '../../admission/udp.ts'
import { openAnswerer, type AnswererDeps } from './answerer.ts'
import { dnsTcpServer, type DnsTcpDeps } from './tcp.ts'

export interface DnsServer {
  /** `host:port` of both transports. */
  readonly address: string
  stop(): Promise<void>
}

export type DnsServerDeps = AnswererDeps & DnsTcpDeps

/** With port 0 the system chooses one for UDP, which may be taken for TCP. */
const MAX_TRIES = 10

/** Listens at `host:port` (port 0: any free one); rejects when the address is taken. */
export async function openDnsServer(deps: DnsServerDeps, at: string): Promise<DnsServer> {
  const { host, port } = hostPort(at)
  for (let tries = 1; ; tries++) {
    try {
      return await listenOnBoth(deps, host, port)
    } catch (error) {
      if (port !== 0 || tries === MAX_TRIES) throw error
    }
  }
}

async function listenOnBoth(deps: DnsServerDeps, host: string, port: number): Promise<DnsServer> {
  const answer = openAnswerer(deps)
  const udp = await bindUdp(host, port, ({ bytes, srcHost, dstHost, reply }) =>
    answer(bytes, { transport: 'udp', srcHost, dstHost }, reply),
  )
  const bound = udp.address().port
  const tcp = dnsTcpServer(answer, deps)
  try {
    await new Promise<void>((resolve, reject) => {
      tcp.server.once('error', reject)
      tcp.server.listen(bound, host, resolve)
    })
  } catch (error) {
    await closeUdp(udp)
    throw error
  }
  return {
    address: hostPortText(host, bound),
    async stop() {
      await Promise.all([closeUdp(udp), tcp.stop()])
    },
  }
}
