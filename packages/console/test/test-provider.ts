// A provider in memory: what it issued, and how it fails.
import { Fault } from '@rookery/kernel/fault.ts'
import { describeProvider } from '@rookery/tokens/provider-descriptor.ts'
import { isSameSecret } from '@rookery/tokens/provider-signature.ts'
import { provider, type PollReport, type ProviderEvent } from '@rookery/tokens/provider.ts'
import type { ProviderPlugins } from '../src/flows/providers/registry.ts'

const descriptor = describeProvider({
  provider: 'test',
  name: 'Test',
  options: {
    ROOKERY_TEST_SECRET: { type: 'text', title: 'Secret of the feed', wants: 'text', secret: true },
    ROOKERY_TEST_URL: { type: 'url', title: 'Its address', wants: 'a URL', default: 'http://test.example' },
  },
  takesFeed: true,
  pollMs: 60_000,
  heartbeat: 'feed',
})

export interface TestProvider {
  readonly plugins: ProviderPlugins
  /** What exists: remote id by token id. */
  readonly issued: Map<string, string>
  /** What its next poll reports. */
  report: PollReport
  /** Positions that polls began at. */
  readonly positions: string[]
  /** Before it makes anything, or after: then its answer is lost. */
  failure: 'none' | 'away' | 'answer lost' | 'silent'
  /** What it names every resource; undefined for a name of its own. */
  remoteId: string | undefined
}

export const TEST_VALUES = { ROOKERY_TEST_SECRET: 's3cret', ROOKERY_TEST_URL: 'http://test.example' }

export function testProvider(): TestProvider {
  const down = (): Fault => new Fault('unavailable', 'Test could not be reached.')
  const state: Omit<TestProvider, 'plugins'> = {
    issued: new Map(),
    report: { events: [], position: '' },
    positions: [],
    failure: 'none',
    remoteId: undefined,
  }
  const open = provider(descriptor, ({ options }) => ({
    provision({ tokenId }) {
      if (state.failure === 'away') return Promise.reject(down())
      const remoteId = state.remoteId ?? `remote-${tokenId}`
      state.issued.set(tokenId, remoteId)
      if (state.failure === 'answer lost') return Promise.reject(down())
      return Promise.resolve({
        remoteId,
        handle: `handle of ${tokenId}`,
        issued: { key: `key of ${tokenId}` },
        shownOnce: { once: 'shown' },
      })
    },
    revoke({ tokenId }) {
      if (state.failure === 'away') return Promise.reject(down())
      state.issued.delete(tokenId)
      return Promise.resolve()
    },
    ingest({ headers, body }) {
      if (!isSameSecret(headers['x-secret'] ?? '', options.ROOKERY_TEST_SECRET))
        throw new Fault('unauthenticated', 'The header X-Secret is wrong.')
      return { events: JSON.parse(body.toString()) as ProviderEvent[] }
    },
    poll({ position }) {
      state.positions.push(position)
      if (state.failure === 'silent') return new Promise<never>(() => undefined)
      return state.failure === 'away' ? Promise.reject(down()) : Promise.resolve(state.report)
    },
  }))
  return Object.assign(state, {
    plugins: { descriptors: [descriptor], load: { test: () => Promise.resolve(open) } },
  })
}
