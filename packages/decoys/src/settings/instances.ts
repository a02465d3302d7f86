// Where a service can be met: the instances that it has, and the transports of their ports. Loads in a browser.
import type { ServiceDescriptor, SettingDescriptor } from './descriptor.ts'

type Numbered = Pick<ServiceDescriptor, 'service' | 'instances'>
type Ports = Pick<ServiceDescriptor, 'transport' | 'isOnBoth'>

/** Names as in listeners, events and reports: that of the service, or `tcpbanner_1` to `tcpbanner_10`. */
export const instancesOf = ({ service, instances }: Numbered): readonly string[] =>
  instances === undefined ? [service] : Array.from({ length: instances }, (_, n) => `${service}_${n + 1}`)

/** The service that has the instance. */
export const serviceOfInstance = <D extends Numbered>(
  services: readonly D[],
  instance: string,
): D | undefined => services.find((descriptor) => instancesOf(descriptor).includes(instance))

/** The transports by which each of its ports is open, its usual one first. */
export const transportsOf = ({ transport, isOnBoth }: Ports): readonly ('tcp' | 'udp')[] =>
  transport === undefined ? [] : isOnBoth ? [transport, transport === 'tcp' ? 'udp' : 'tcp'] : [transport]

/** The keys of its ports, one for each instance. */
export const portKeysOf = (descriptor: Numbered & Ports): readonly string[] =>
  descriptor.transport === undefined ? [] : instancesOf(descriptor).map((name) => `${name}.port`)

/** The keys that switch all of its instances on. */
export const switchesOf = (descriptor: Numbered): readonly string[] => [
  ...new Set([descriptor.service, ...instancesOf(descriptor)].map((name) => `${name}.enabled`)),
]

/** Settings of numbered instances by their full key, of what `make` answers for each number from 1 on. */
export const settingsOfEach = (
  numbered: Numbered,
  make: (number: number) => Readonly<Record<string, SettingDescriptor>>,
): Readonly<Record<string, SettingDescriptor>> =>
  Object.fromEntries(
    instancesOf(numbered).flatMap((name, index) =>
      Object.entries(make(index + 1)).map(([key, setting]) => [`${name}.${key}`, setting]),
    ),
  )

/** The command that touches a decoy, of its `example`: with an IPv6 address in brackets where a URL has it. */
export const touchCommand = (example: string, host: string, port: number): string =>
  example
    .replaceAll('://{host}', `://${host.includes(':') ? `[${host}]` : host}`)
    .replaceAll('{host}', host)
    .replaceAll('{port}', String(port))
