// Where something that listens is called. `0.0.0.0` and `::` mean each address of the machine: no program can call them.
import { networkInterfaces } from 'node:os'
import { hostPort, hostPortText } from './host-port.ts'
import { baseAddress } from './listening.ts'

/** `0.0.0.0`, or `::` in any spelling. */
export const isUnspecified = (host: string): boolean => /^\[?[0:.]+\]?$/.test(host)

/** The host, or for an unspecified one an address of this machine; undefined where it has none but loopback. */
export function reachableHost(host: string, interfaces = networkInterfaces()): string | undefined {
  if (!isUnspecified(host)) return host
  const own = Object.values(interfaces).flatMap((entries) => entries ?? [])
  const others = own.filter(({ internal, address }) => !internal && !/^(169\.254\.|fe[89ab])/i.test(address))
  const found = others.find((it) => it.family === 'IPv4') ?? (host === '0.0.0.0' ? undefined : others[0])
  return found?.address
}

/** The host for programs of this machine. */
export const localHost = (host: string): string =>
  isUnspecified(host) ? (host === '0.0.0.0' ? '127.0.0.1' : '::1') : host

/** The host as it is printed: one that other machines reach, if there is one. */
export const printedHost = (host: string): string => reachableHost(host) ?? localHost(host)

const withHost = (at: string, hostOf: (host: string) => string): string => {
  const { host, port } = hostPort(at)
  return hostPortText(hostOf(host), port)
}

/** `host:port` for programs of this machine. */
export const localAddress = (at: string): string => withHost(at, localHost)

/** `host:port` as it is printed. */
export const printedAddress = (at: string): string => withHost(at, printedHost)

/** The URL of what listens at `host:port` as it is printed. */
export const printedUrl = (at: string): string => baseAddress(printedAddress(at))

/** The URL that other machines are sent: the public one, else by an address of this machine; empty where it has none. */
export function sentUrl(publicUrl: string, at: string): string {
  if (publicUrl !== '') return publicUrl
  return reachableHost(hostPort(at).host) === undefined ? '' : printedUrl(at)
}
