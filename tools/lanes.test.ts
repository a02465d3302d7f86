import { expect, it } from 'vitest'
import { inLanes } from './lanes.ts'

const steps = ['a', 'b', 'c', 'd'].map((name) => ({ name }))

it('no more steps run at once than there are lanes, and every outcome is reported', async () => {
  let running = 0
  let most = 0
  const reported: string[] = []
  const run = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    return { isGood: true, said: '' }
  }
  expect(await inLanes(steps, 2, run, (name) => reported.push(name))).toBe(true)
  expect(most).toBe(2)
  expect(reported.sort()).toEqual(['a', 'b', 'c', 'd'])
})

it('nothing begins after a failure', async () => {
  const begun: string[] = []
  const run = ({ name }: { name: string }) => {
    begun.push(name)
    return Promise.resolve({ isGood: name !== 'b', said: '' })
  }
  expect(await inLanes(steps, 1, run, () => {})).toBe(false)
  expect(begun).toEqual(['a', 'b'])
})
