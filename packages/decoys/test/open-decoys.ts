// Every decoy of this release on a host of the loopback address, and the crowds that come to them.
import { connectTo, type TcpClient } from './tcp-client.ts'
import { defaultSettings } from './default-settings.ts'
import { openTestHost } from './test-host.ts'
import { descriptors } from '../src/descriptors.gen.ts'
import type { HostOptions } from '../src/host/host.ts'
import { switchesOf } from '../src/settings/instances.ts'
import { services } from '../src/services.gen.ts'

/** On ports of the system's choice; `portOf` names them. */
export async function openDecoys(over: Partial<HostOptions> = {}): Promise<ReturnType<typeof openTestHost>> {
  const test = openTestHost(over)
  const enabled = Object.fromEntries(descriptors.flatMap(switchesOf).map((key) => [key, true]))
  const settings = defaultSettings(descriptors, enabled)
  await test.host.apply(Object.values(services).flatMap((service) => service.listeners(settings)))
  return test
}

/** One after another; resolves once the last is connected. */
export async function connectMany(count: number, port: number, localAddress?: string): Promise<TcpClient[]> {
  const clients: TcpClient[] = []
  for (let i = 0; i < count; i += 1) {
    const client = connectTo(port, localAddress === undefined ? {} : { localAddress })
    await new Promise((resolve) => client.socket.once('connect', resolve))
    clients.push(client)
  }
  return clients
}
