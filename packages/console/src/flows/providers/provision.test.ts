// What a provider issues exists as long as its token, whatever fails in between.
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { creatorOf, registryOf } from '../../../test/provider-tokens.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { testProvider, type TestProvider } from '../../../test/test-provider.ts'
import type { EngineName } from '../../db/query.ts'
import { addResource } from '../../stores/providers/resources.store.ts'
import { openIssued } from '../tokens/issued-at-rest.ts'
import { openReconciler } from './reconcile.ts'

const MINUTE_MS = 60_000

async function open(engine: EngineName) {
  const clock = manualClock()
  const rookery = await openTestConsole({ engine, world: { clock } })
  const provider = testProvider()
  return { rookery, clock, provider, create: creatorOf(rookery, provider) }
}

/** One run of a console's reconciler, as after its start. */
async function reconcile(rookery: TestConsole, provider: TestProvider): Promise<void> {
  const registry = registryOf(rookery, provider)
  const loop = openReconciler({ ...rookery.console.base, registry, isHeld: () => true })
  loop.wake()
  await loop.stop()
}

const rows = ({ console }: TestConsole) =>
  console.base.reader.selectFrom('provider_resource').select(['state', 'attempts', 'last_error']).execute()

const deleteToken = ({ api }: TestConsole, decoytoken: string) => api.tokens.remove({ decoytoken })

describe.each(engines)('what a provider issues for a token (%s)', (engine) => {
  it('is planted, sealed at rest, and revoked with the token', async () => {
    const { rookery, provider, create } = await open(engine)
    const { row, shownOnce } = await create()
    expect(shownOnce).toEqual({ once: 'shown' })
    expect(provider.issued.get(row.token_id)).toBe(`remote-${row.token_id}`)
    const stored = await rookery.console.base.reader.selectFrom('token').selectAll().executeTakeFirstOrThrow()
    expect(stored.issued).not.toContain('key of')
    expect(openIssued(rookery.console.base.vault, stored)).toEqual({ key: `key of ${row.token_id}` })
    expect(await rows(rookery)).toMatchObject([{ state: 'active' }])
    await deleteToken(rookery, row.token_id)
    await reconcile(rookery, provider)
    expect(provider.issued.size).toBe(0)
    expect(await rows(rookery)).toEqual([])
  })

  it('is revoked again and again until the provider has done it', async () => {
    const { rookery, clock, provider, create } = await open(engine)
    const { row } = await create()
    await deleteToken(rookery, row.token_id)
    provider.failure = 'away'
    await reconcile(rookery, provider)
    expect(await rows(rookery)).toEqual([
      { state: 'revoking', attempts: 1, last_error: 'Test could not be reached.' },
    ])
    provider.failure = 'none'
    await reconcile(rookery, provider)
    expect(provider.issued.size).toBe(1)
    clock.advance(MINUTE_MS)
    await reconcile(rookery, provider)
    expect(provider.issued.size).toBe(0)
    expect(await rows(rookery)).toEqual([])
  })

  it('is revoked where its answer was lost, and no token is made', async () => {
    const { rookery, clock, provider, create } = await open(engine)
    provider.failure = 'answer lost'
    await expect(create()).rejects.toThrow('Test could not be reached.')
    provider.failure = 'none'
    await reconcile(rookery, provider)
    expect(provider.issued.size).toBe(1)
    clock.advance(MINUTE_MS)
    await reconcile(rookery, provider)
    expect(provider.issued.size).toBe(0)
    expect((await rookery.api.tokens.ofFlock({})).tokens).toEqual([])
  })

  it('is revoked where the console was killed between the provider and the token', async () => {
    const { rookery, clock, provider } = await open(engine)
    const now = clock.now()
    await rookery.console.base.writer.write((tx) =>
      addResource(tx, {
        token_id: 'abc',
        provider: 'test',
        kind: 'http',
        created_at: now,
        due_at: now + 5 * MINUTE_MS,
      }),
    )
    provider.issued.set('abc', 'remote-abc')
    clock.advance(4 * MINUTE_MS)
    await reconcile(rookery, provider)
    expect(provider.issued.size).toBe(1)
    clock.advance(MINUTE_MS)
    await reconcile(rookery, provider)
    expect(provider.issued.size).toBe(0)
    expect(await rows(rookery)).toEqual([])
  })

  it('is nothing where the provider does not name it: no token is made, and what it has made is revoked', async () => {
    const { rookery, clock, provider, create } = await open(engine)
    provider.remoteId = ''
    await expect(create()).rejects.toThrow('The provider test did not say what it has made')
    expect((await rookery.api.tokens.ofFlock({})).tokens).toEqual([])
    clock.advance(MINUTE_MS)
    await reconcile(rookery, provider)
    expect(provider.issued.size).toBe(0)
    expect(await rows(rookery)).toEqual([])
  })

  it('is not taken back from the token that has it', async () => {
    const { rookery, clock, provider, create } = await open(engine)
    provider.remoteId = 'the same'
    await create()
    await expect(create()).rejects.toMatchObject({ code: 'conflict' })
    await expect(Promise.all([create(), create()])).rejects.toMatchObject({ code: 'conflict' })
    clock.advance(10 * MINUTE_MS)
    await reconcile(rookery, provider)
    expect(await rows(rookery)).toMatchObject([{ state: 'active' }])
  })

  it('is not planted again while its revocation goes on, which would end it', async () => {
    const { rookery, clock, provider, create } = await open(engine)
    provider.remoteId = 'the same'
    const { row } = await create()
    await deleteToken(rookery, row.token_id)
    provider.failure = 'away'
    await reconcile(rookery, provider)
    provider.failure = 'none'
    await expect(create()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is still being revoked') as string,
    })
    clock.advance(MINUTE_MS)
    await reconcile(rookery, provider)
    expect(await rows(rookery)).toEqual([])
    await create()
  })

  it('is made of one token where two ask for the same at once', async () => {
    const { rookery, clock, provider, create } = await open(engine)
    provider.remoteId = 'the same'
    const made = await Promise.allSettled([create(), create(), create()])
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    clock.advance(10 * MINUTE_MS)
    await reconcile(rookery, provider)
    expect(await rows(rookery)).toMatchObject([{ state: 'active' }])
    expect((await rookery.api.tokens.ofFlock({})).tokens).toHaveLength(1)
  })
})
