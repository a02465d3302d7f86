import { expect, it } from 'vitest'
import { turns } from './waiting-requests.ts'

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
