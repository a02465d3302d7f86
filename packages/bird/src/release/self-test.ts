// `--self-test`: a new release opens every decoy that it knows on loopback, before it takes the place of the one that runs.
import { openHost } from '@rookery/decoys/host/host.ts'
import type { ServiceDescriptor } from '@rookery/decoys/settings/descriptor.ts'
import { settingDescriptors } from '@rookery/decoys/settings/settings.ts'
import type { Service } from '@rookery/decoys/session/session.ts'
import { listenersOf } from '../active-settings/listeners.ts'
import { systemClock, systemRandom } from '../world.ts'

/** Rejects with an Error that names the decoys that do not listen. */
export async function selfTest(
  services: Readonly<Record<string, Service>>,
  descriptors: readonly ServiceDescriptor[],
): Promise<void> {
  const settings = Object.fromEntries(
    Object.entries(settingDescriptors(descriptors)).map(([key, { default: value }]) => [
      key,
      key.endsWith('.enabled') || value,
    ]),
  )
  const host = openHost({
    bind: '127.0.0.1',
    portOffset: 'any',
    clock: systemClock,
    random: systemRandom,
    derive: (_label, length) => Buffer.from(systemRandom.bytes(length)),
    emit: () => undefined,
  })
  try {
    const { listeners, failures } = listenersOf(services, settings)
    const closed = [...failures, ...(await host.apply(listeners))]
    if (closed.length > 0)
      throw new Error(
        closed.map(({ instance, reason }) => `${instance} does not listen: ${reason}`).join('; '),
      )
    if (listeners.length === 0) throw new Error('no decoy listens')
  } finally {
    await host.close()
  }
}
