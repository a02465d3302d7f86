import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteQueue } from './byte-queue.ts'

test('bytes come out in the order in which they went in, and a view never changes afterwards', () => {
  const operation = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ append: Buffer.from(bytes) })),
    fc.nat(300).map((skip) => ({ skip })),
    fc.constant({ compact: true as const }),
  )
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      const queue = byteQueue()
      const views: { view: Buffer; expected: string }[] = []
      let model = Buffer.alloc(0)
      for (const operation of operations) {
        if ('append' in operation) {
          queue.append(operation.append)
          model = Buffer.concat([model, operation.append])
        } else if ('skip' in operation) {
          const length = Math.min(operation.skip, model.length)
          queue.skip(length)
          model = model.subarray(length)
        } else queue.compact()
        expect(queue.length).toBe(model.length)
        views.push({ view: queue.view(), expected: model.toString('hex') })
      }
      for (const { view, expected } of views) expect(view.toString('hex')).toBe(expected)
    }),
  )
})
