import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { nextImmediate } from '../../db/next-immediate.ts'
import { allArrived } from './all-arrived.ts'

it('all datagrams in the buffer of a socket are waited for', async () => {
  const receiver = createSocket('udp4').bind(0, '127.0.0.1')
  const sender = createSocket('udp4')
  await once(receiver, 'listening')
  let received = 0
  receiver.on('message', () => received++)
  for (let n = 0; n < 100; n++) sender.send('x', receiver.address().port, '127.0.0.1')
  while (received === 0) await nextImmediate()
  await allArrived(() => received, 1_000)
  expect(received).toBe(100)
  receiver.close()
  sender.close()
})

/** The numbers that wait in successive iterations of the event loop; the last one stays. */
function arrivals(numbers: readonly number[]) {
  let iteration = 0
  const next = (): void => void (++iteration < numbers.length && setImmediate(next))
  setImmediate(next)
  return () => numbers[Math.min(iteration, numbers.length - 1)] ?? 0
}

it('it ends with the first iteration in which nothing arrives', async () => {
  const waiting = arrivals([1, 2, 3, 3, 4])
  await allArrived(waiting, 256)
  expect(waiting()).toBe(3)
})

it('it ends when as many wait as one batch takes', async () => {
  const waiting = arrivals([100, 200, 300, 400])
  await allArrived(waiting, 256)
  expect(waiting()).toBe(300)
})
