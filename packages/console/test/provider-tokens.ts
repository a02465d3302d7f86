// Tokens whose resources a provider issued, in a console of a test's own.
import { tokenCreator, type NewToken } from '../src/flows/tokens/create.ts'
import { provisioner } from '../src/flows/providers/provision.ts'
import { openProviderRegistry, type ProviderRegistry } from '../src/flows/providers/registry.ts'
import { activateResources, addResource } from '../src/stores/providers/resources.store.ts'
import { systemEntry } from '../src/stores/audit/system-entry.ts'
import type { TestConsole } from './test-console.ts'
import { TEST_VALUES, type TestProvider } from './test-provider.ts'

export const registryOf = (
  { console }: TestConsole,
  { plugins }: Pick<TestProvider, 'plugins'>,
): ProviderRegistry => openProviderRegistry(TEST_VALUES, console.base.world, plugins)

/** Makes a token of a kind without a provider, and a resource for it. */
export async function tokenWithResource(
  rookery: TestConsole,
  remoteId: string,
  expiresAt = 0,
): Promise<string> {
  const { decoytoken } = (await rookery.api.tokens.create({ kind: 'http', memo: 'm' })).decoytoken
  const { writer, world } = rookery.console.base
  const row = { token_id: decoytoken, provider: 'test', kind: 'http' }
  await writer.write(async (tx) => {
    await addResource(tx, { ...row, created_at: world.clock.now(), due_at: 0 })
    await activateResources(tx, [
      { ...row, remote_id: remoteId, sealed_handle: '', due_at: 0, expires_at: expiresAt },
    ])
  })
  return decoytoken
}

const origin = { url: 'http://t.example', httpsUrl: undefined, domain: 't.example', mysql: '', postgres: '' }

/** Creates a token at the provider, as the API does it. */
export function creatorOf(rookery: TestConsole, provider: TestProvider): () => Promise<NewToken> {
  const { base } = rookery.console
  const creating = provisioner({
    ...base,
    registry: registryOf(rookery, provider),
    feedUrl: () => 'http://t.example/ingest/test',
    wakeReconciler: () => undefined,
  })
  const none = () => Promise.reject(new Error('none'))
  const { create } = tokenCreator(
    {
      ...base,
      provisioner: creating,
      forgeFile: none,
      warmForge: () => undefined,
      storeUploads: none,
      providerOf: () => 'test',
      ownHosts: { has: () => false },
    },
    origin,
  )
  return () =>
    create({
      kind: 'http',
      memo: 'm',
      flockId: 'flock:default',
      care: {},
      given: {},
      createdBy: '',
      factoryKeyId: '',
      trail: () => systemEntry(base.world.clock, 'local', 'test', 'Test', {}),
    })
}
