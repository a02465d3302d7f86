import { describe, expect, it } from 'vitest'
import { engines, openTestConsole } from '../../test/test-console.ts'
import { examineBase } from './doctor.ts'

const DAY_MS = 86_400_000

describe.each(engines)('rookery doctor (%s)', (engine) => {
  it('names each token that is a month old, and whose channels no other machine has reached', async () => {
    let now = Date.now()
    const rookery = await openTestConsole({
      engine,
      env: {
        ROOKERY_TOKENS_URL: 'http://tokens.example.com',
        ROOKERY_TOKENS_DOMAIN: 'tokens.example.com',
        ROOKERY_TRUSTED_PROXIES: '127.0.0.1',
      },
      world: { clock: { now: () => ++now, after: () => () => undefined } },
    })
    const named = async () =>
      (await examineBase(rookery.console.base))
        .filter(({ about }) => about === 'token')
        .map(({ ok, text }) => [ok, text])
    const create = async (kind: string) =>
      (await rookery.api.tokens.create({ kind, memo: 'Wiki' })).decoytoken.decoytoken
    const old = [await create('dns'), await create('http')]
    const disabled = await create('dns')
    await rookery.api.tokens.disable({ decoytoken: disabled })
    expect(await named()).toEqual([])
    now += 31 * DAY_MS
    await create('dns')
    expect(await named()).toEqual(
      old.map((id) => [
        false,
        expect.stringMatching(new RegExp(`^Token ${id} .*rookery tokens test ${id}$`)) as string,
      ]),
    )
    // One touch from elsewhere shows that its channel can be reached.
    await rookery.console.base.writer.write(async (tx) => {
      await tx.query
        .updateTable('token_channel')
        .set({ reached_at: now })
        .where('channel', '=', 'http')
        .execute()
    })
    expect(await named()).toEqual([[false, expect.stringMatching(old[0] ?? '')]])
  })
})
