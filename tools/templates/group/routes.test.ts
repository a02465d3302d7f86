import { describe, expect, it } from 'vitest'
import { engines, openTestConsole } from '@rookery/console/test/test-console.ts'

describe.each(engines)('some name (%s)', (engine) => {
  it('lists what there is', async () => {
    const rookery = await openTestConsole({ engine })
    const { status, json } = await rookery.get('/some-name/list')
    expect(status, 'routes.ts: what the operations do; the contract: which they are').toBe(200)
    expect(json).toMatchObject({ things: [] })
  })

  it('refuses what it should, with a message that names it', () => {
    expect.unreachable('the 400, 403 and 404 of each operation: claim status, message and details')
  })
})
