// Listening at an address, and what it is called.
import type { AddressInfo, Server } from 'node:net'
import { hostPort, hostPortText } from './host-port.ts'

/** Listens at `host:port` (port 0: any free one) and answers the base address, as `baseAddress` has it. */
export const listening = async (server: Server, at: string): Promise<string> =>
  baseAddress(await listeningAt(server, at))

/**
 * `http://host:port`, and `http://host` at port 80: the one spelling (WHATWG URL), by which clients find what belongs to an
 * address, such as npm the key of a registry.
 */
export const baseAddress = (address: string): string => new URL(`http://${address}`).origin

/** Listens at `host:port` (port 0: any free one) and answers where it listens, `host:port`. */
export function listeningAt(server: Server, at: string): Promise<string> {
  const { host, port } = hostPort(at)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const bound = server.address() as AddressInfo
      resolve(hostPortText(host, bound.port))
    })
  })
}

/** The port that a URL names or means; undefined for empty text. */
export function portOf(url: string): number | undefined {
  if (url === '') return undefined
  const { port, protocol } = new URL(url)
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
