// The largest batch that a CSV may be.
import { readCsv } from '@rookery/kernel/csv/read.ts'
import { expect, it } from 'vitest'
import { engines, openTestConsole } from '../../../test/test-console.ts'

const ROWS = 10_000
const KINDS = ['http', 'dns', 'svn', 'sensitive-cmd'] as const
const kindOf = (n: number): string => KINDS[n % KINDS.length] ?? ''
const processOf = (n: number): string => (kindOf(n) === 'sensitive-cmd' ? 'klist.exe' : '')

it.each(engines)(
  '10,000 tokens from a CSV are created, in its order, and each is there (%s)',
  async (engine) => {
    const { api } = await openTestConsole({ engine })
    const rows = Array.from({ length: ROWS }, (_, n) => `${kindOf(n)},"host, ${n}",${processOf(n)}`)
    const csv = `kind,memo,process_name\n${rows.join('\n')}\n`
    const { file } = await api.tokens.createMany({ csv })
    const [header, ...created] = [...readCsv(new TextDecoder().decode(file?.bytes))].map(({ cells }) => cells)
    const column = (name: string): number => header?.indexOf(name) ?? NaN
    expect(created.map((cells) => [cells[column('kind')], cells[column('memo')]])).toEqual(
      rows.map((_, n) => [kindOf(n), `host, ${n}`]),
    )
    expect(new Set(created.map((cells) => cells[column('decoytoken')])).size).toBe(ROWS)
    expect((await api.tokens.search({ limit: 1 })).total_results).toBe(ROWS)
    const { token } = await api.tokens.fetch({ decoytoken: created.at(-1)?.[column('decoytoken')] ?? '' })
    expect([token.kind, token.memo]).toEqual([kindOf(ROWS - 1), `host, ${ROWS - 1}`])
  },
)
