import { expect, it } from 'vitest'
import { turns } from './turns.ts'

it('what waits is called in its order, also what is added meanwhile', async () => {
  const line = turns()
  const called: number[] = []
  await new Promise<void>((done) => {
    line.add(() => called.push(1))
    line.add(() => {
      called.push(2)
      line.add(() => called.push(4))
      line.add(done)
    })
    line.add(() => called.push(3))
  })
  expect([called, line.length()]).toEqual([[1, 2, 3, 4], 0])
})

it('a long line moves as fast as a short one', async () => {
  const line = turns()
  const LONG = 500_000
  const before = process.threadCpuUsage()
  await new Promise<void>((done) => {
    for (let n = 1; n < LONG; n++) line.add(() => undefined)
    line.add(done)
  })
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(2_000)
})

it('newcomers come before what waits, and hold it up for milliseconds at most', async () => {
  let nowMs = 0
  const line = turns(() => nowMs)
  const turn = (): Promise<void> => new Promise((done) => setImmediate(done))
  const called: number[] = []
  line.add(() => called.push(1))
  await turn()
  line.add(() => called.push(2))
  for (let turns = 0; turns < 50; turns++) {
    line.noteNewcomer()
    await turn()
  }
  expect(called).toEqual([1])
  nowMs = 4
  line.noteNewcomer()
  await turn()
  expect(called).toEqual([1, 2])
})
