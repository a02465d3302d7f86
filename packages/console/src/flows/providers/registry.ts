// The providers that the options configure, and their clients: each is loaded with its first use.
import { Fault } from '@rookery/kernel/fault.ts'
import type { OpenProvider, ProviderClient, ProviderWorld } from '@rookery/tokens/provider.ts'
import type { ProviderDescriptor } from '@rookery/tokens/provider-descriptor.ts'
import { providerDescriptors } from '@rookery/tokens/provider-descriptors.gen.ts'
import { providers } from '@rookery/tokens/providers.gen.ts'

export interface ProviderStatus {
  readonly descriptor: ProviderDescriptor
  /** Options that it needs, and that are not set. */
  readonly missing: readonly string[]
  readonly isConfigured: boolean
}

export interface ProviderRegistry {
  readonly statuses: readonly ProviderStatus[]
  /** Undefined for a provider that this release does not have. */
  statusOf(provider: string): ProviderStatus | undefined
  /** Its client; a `conflict` names the options that are missing. */
  client(provider: string): Promise<ProviderClient>
}

export interface ProviderPlugins {
  readonly descriptors: readonly ProviderDescriptor[]
  readonly load: Readonly<Record<string, () => Promise<OpenProvider>>>
}

const INSTALLED: ProviderPlugins = { descriptors: providerDescriptors, load: providers }

/** By environment name. */
type OptionValues = Readonly<Record<string, string>>

export const providerStatuses = (
  values: OptionValues,
  { descriptors }: Pick<ProviderPlugins, 'descriptors'> = INSTALLED,
): ProviderStatus[] =>
  descriptors.map((descriptor: ProviderDescriptor) => {
    const missing = Object.entries(descriptor.options)
      .filter(([name, { optional }]) => !optional && (values[name] ?? '') === '')
      .map(([name]) => name)
    return { descriptor, missing, isConfigured: missing.length === 0 }
  })

export function openProviderRegistry(
  values: OptionValues,
  world: ProviderWorld,
  plugins: ProviderPlugins = INSTALLED,
): ProviderRegistry {
  const statuses = providerStatuses(values, plugins)
  const byName = new Map(statuses.map((status) => [status.descriptor.provider, status]))
  const clients = new Map<string, Promise<ProviderClient>>()

  async function open({ provider, options }: ProviderDescriptor): Promise<ProviderClient> {
    const load = plugins.load[provider]
    if (!load) throw new Error(`The provider ${provider} has no provider.ts.`)
    const openClient = await load()
    const given = Object.fromEntries(Object.keys(options).map((name) => [name, values[name] ?? '']))
    for (const [name, { type }] of Object.entries(options)) {
      const refusal = type === 'url' ? world.outbound.refusal?.(given[name] ?? '') : undefined
      if (refusal !== undefined) throw new Fault('bad-input', `${name} cannot be called: ${refusal}`)
    }
    return openClient({ world, options: given })
  }

  return {
    statuses,
    statusOf: (provider) => byName.get(provider),
    async client(provider) {
      const status = byName.get(provider)
      if (!status?.isConfigured) throw unconfigured(provider, status?.missing ?? [])
      const known = clients.get(provider)
      if (known) return known
      const opening = open(status.descriptor)
      clients.set(provider, opening)
      // A failed import (its file was being replaced) is tried again by the next use.
      opening.catch(() => clients.delete(provider))
      return opening
    },
  }
}

const unconfigured = (provider: string, missing: readonly string[]): Fault =>
  new Fault('conflict', `The provider ${provider} is not configured: set ${missing.join(', ')}.`, {
    details: Object.fromEntries(missing.map((name) => [name, 'is not set'])),
  })
