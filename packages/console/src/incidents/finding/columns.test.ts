import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freshGround } from '../../../test/ground.ts'
import { engines } from '../../../test/house.ts'
import { bytesOf } from '../../stores/incidents/block.ts'
import { cellId } from '../../stores/incidents/index.store.ts'
import { openColumns } from './columns.ts'

const ROWS = 3_000
const numbers = Uint32Array.from({ length: ROWS }, (_, at) => at * 7)
const times = Float64Array.from({ length: ROWS }, (_, at) => 1.7e12 + at * 0.5)
const origins = Uint16Array.from({ length: ROWS }, (_, at) => ROWS - at)
const BLOCKS = [3, 8]

/** Runs of neighbours, near to each other and far apart. */
const places = fc
  .array(fc.tuple(fc.nat(ROWS - 1), fc.integer({ min: 1, max: 90 })), { minLength: 1, maxLength: 6 })
  .map((runs) => {
    const all = runs.flatMap(([from, rows]) => Array.from({ length: rows }, (_, n) => from + n))
    return Uint16Array.from(new Set(all.filter((place) => place < ROWS))).sort()
  })

describe.each(engines)('columns of some rows (%s)', (name) => {
  it('are those of the whole column, however the rows lie in it', async () => {
    const { engine, beside } = await freshGround(name)
    await engine.transaction(async (tx) => {
      for (const block of BLOCKS) {
        for (const [column, cells] of Object.entries({ numbers, times, origins }))
          await tx.rows('INSERT INTO search_cells (cell_id, cells) VALUES (?, ?)', [
            cellId(column as 'numbers', block),
            bytesOf(cells),
          ])
      }
    })
    await fc.assert(
      fc.asyncProperty(places, places, fc.boolean(), (one, two, isWhole) =>
        beside.snapshot(async (query) => {
          const columns = openColumns(query, name)
          const rows = [one, two].map((some, at) => ({ block: BLOCKS[at] ?? 0, places: some }))
          if (isWhole) await columns.read(['times', BLOCKS])
          await columns.readRows(['numbers', rows], ['times', rows], ['origins', rows])
          for (const each of rows) {
            const at = (all: ArrayLike<number>): number[] => [...each.places].map((place) => all[place] ?? -1)
            expect([...columns.ofRows('numbers', each)]).toEqual(at(numbers))
            expect([...columns.ofRows('times', each)]).toEqual(at(times))
            expect([...columns.ofRows('origins', each)]).toEqual(at(origins))
          }
        }),
      ),
    )
  })
})
