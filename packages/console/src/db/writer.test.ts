import { describe, expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { engines, openTestConsole } from '../../test/test-console.ts'
import type { Tx } from './query.ts'

const put =
  (name: string) =>
  (tx: { insertMany: (table: 'meta', rows: { name: string; value: string }[]) => Promise<void> }) =>
    tx.insertMany('meta', [{ name, value: 'x' }])

describe.each(engines)('the writer (%s)', (engine) => {
  it('commits what arrived together, without the job that failed', async () => {
    const { base } = (await openTestConsole({ engine, parts: [] })).console
    const settled = await Promise.allSettled([
      base.writer.write(put('first')),
      base.writer.write(async (tx) => {
        await put('lost')(tx)
        throw new Fault('conflict', 'not this one')
      }),
      base.writer.write(put('first')),
      base.writer.write(put('last')),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    const rows = await base.reader
      .selectFrom('meta')
      .select('name')
      .where('value', '=', 'x')
      .orderBy('name')
      .execute()
    expect(rows.map(({ name }) => name)).toEqual(['first', 'last'])
  })

  it('hands out updated_id in the order of commits, each number once, also after a job that failed', async () => {
    const { base } = (await openTestConsole({ engine, parts: [] })).console
    const taken: number[] = []
    const take = async (tx: Tx): Promise<void> => {
      taken.push(await tx.updatedIds(1))
    }
    await base.writer.write(take)
    const failing = base.writer.write(async (tx) => {
      await tx.updatedIds(100)
      throw new Error('no')
    })
    await Promise.all([base.writer.write(take), failing.catch(() => undefined), base.writer.write(take)])
    await base.writer.write(take)
    expect(taken).toHaveLength(4)
    expect(taken).toEqual([...new Set(taken)].sort((a, b) => a - b))
    const row = await base.reader.selectFrom('commit_sequence').select('updated_id').executeTakeFirstOrThrow()
    expect(row.updated_id).toBe(taken.at(-1))
  })

  it('refuses values that a database would change in silence', async () => {
    const { base } = (await openTestConsole({ engine, parts: [] })).console
    for (const value of [new Date(), undefined, true, Number.NaN, ['a']]) {
      const wrong = base.writer.write((tx) => tx.insertMany('meta', [{ name: 'w', value: value as never }]))
      await expect(wrong).rejects.toThrow(TypeError)
    }
    const read = base.reader
      .selectFrom('meta')
      .selectAll()
      .where('value', '=', new Date() as never)
      .execute()
    await expect(read).rejects.toThrow(TypeError)
  })

  it('stores any text that comes, however strange', async () => {
    const { base } = (await openTestConsole({ engine, parts: [] })).console
    const texts = ['\ud800', 'a\udc00b', '\0', 'nul\0inside', '\u{1f426}', '\\u0000', '']
    await base.writer.write((tx) =>
      tx.insertMany(
        'meta',
        texts.map((value, n) => ({ name: `strange ${n}`, value })),
      ),
    )
    for (const text of texts)
      await base.reader.selectFrom('meta').select('name').where('value', '=', text).execute()
    const rows = await base.reader
      .selectFrom('meta')
      .select('value')
      .where('name', 'like', 'strange %')
      .orderBy('name')
      .execute()
    const stored = rows.map(({ value }) => value.replaceAll('\0', '\ufffd'))
    expect(stored).toEqual(['\ufffd', 'a\ufffdb', '\ufffd', 'nul\ufffdinside', '\u{1f426}', '\\u0000', ''])
  })

  it('caches configuration only until it changes', async () => {
    const { base } = (await openTestConsole({ engine, parts: [] })).console
    let loads = 0
    const load = () => Promise.resolve(++loads)
    expect([await base.config.get('n', load), await base.config.get('n', load)]).toEqual([1, 1])
    await base.writer.write((tx) => tx.configChanged())
    expect(await base.config.get('n', load)).toBe(2)
  })
})
