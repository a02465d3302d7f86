import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteQueue } from './byte-queue.ts'

test('bytes come out in the order in which they went in, and a view never changes afterwards', () => {
  const operation = fc.oneof(
    fc.record({ append: fc.uint8Array({ maxLength: 200 }).map(Buffer.from), frameBytes: fc.nat(500) }),
    fc.nat(300).map((skip) => ({ skip })),
    fc.record({ compact: fc.constant(true as const), frameBytes: fc.nat(500) }),
  )
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      const queue = byteQueue()
      const views: { view: Buffer; expected: string }[] = []
      let model = Buffer.alloc(0)
      for (const operation of operations) {
        if ('append' in operation) {
          queue.append(operation.append, operation.frameBytes)
          model = Buffer.concat([model, operation.append])
        } else if ('skip' in operation) {
          const length = Math.min(operation.skip, model.length)
          queue.skip(length)
          model = model.subarray(length)
        } else queue.compact(operation.frameBytes)
        expect(queue.length).toBe(model.length)
        views.push({ view: queue.view(), expected: model.toString('hex') })
      }
      for (const { view, expected } of views) expect(view.toString('hex')).toBe(expected)
    }),
  )
})

test('a frame that is known to need so many bytes takes no more memory while they come', () => {
  const queue = byteQueue()
  for (let sent = 0; sent < 999; sent += 111) {
    queue.append(Buffer.alloc(111), 1_000)
    queue.compact(1_000)
    expect(queue.memory).toBeLessThanOrEqual(1_000)
  }
  expect(queue.length).toBe(999)
  queue.append(Buffer.alloc(2), 1_000)
  expect(queue.length).toBe(1_001)
})
