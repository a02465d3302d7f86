// The settings of services as a text, for `Listener.dependsOn`: while it stays the same, a listener is kept.
import type { ServiceDescriptor } from './descriptor.ts'
import type { BirdSettings } from '../session/session.ts'

/** Every setting that these services declare; one that is not given has its default. */
export const ownSettings = (
  given: BirdSettings,
  ...services: readonly Pick<ServiceDescriptor, 'settings'>[]
): string =>
  JSON.stringify(
    services.flatMap(({ settings }) =>
      Object.entries(settings).map(([key, { default: byDefault }]) => given[key] ?? byDefault),
    ),
  )
