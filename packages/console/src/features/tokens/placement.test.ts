import { describe, expect, it } from 'vitest'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { openReceiver } from '../../../test/receiver.ts'
import { addReceiver, loopbackOutbound } from '../../../test/raise-incident.ts'

describe.each(engines)('where a token was put (%s)', (engine) => {
  it('is shown with who said it and when, and can be changed and removed', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken: created } = await rookery.api.tokens.create({ kind: 'http', memo: 'Wiki' })
    expect([created.placement, created.placement_at, created.placement_by]).toEqual(['', '', ''])
    const { decoytoken } = created
    const placement = 'nas-02:/srv/finance/plans.docx, in front of the archive'
    const said = await rookery.api.tokens.update({ decoytoken, placement })
    expect(said.decoytoken).toMatchObject({
      placement,
      placement_at: expect.stringMatching(/GMT/) as string,
      placement_by: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
      memo: 'Wiki',
    })
    const { tokens } = await rookery.api.tokens.search({ filter_str: 'SRV/Finance' })
    expect(tokens).toEqual([said.decoytoken])
    expect((await rookery.api.tokens.ofFlock({})).tokens).toEqual([said.decoytoken])
    const cleared = await rookery.api.tokens.update({ decoytoken, clear_placement: true })
    expect(cleared.decoytoken).toMatchObject({ placement: '', placement_at: '', placement_by: '' })
    const long = await rookery.post('/decoytoken/update', { decoytoken, placement: 'x'.repeat(1_001) })
    expect([long.status, long.json['details']]).toEqual([
      400,
      { placement: 'must be text of at most 1000 characters, not 1001' },
    ])
  })

  it('is in the alert of a touch, as the token says when it is sent', async () => {
    const rookery = await openTestConsole({ engine, world: { outbound: loopbackOutbound() } })
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    const { decoytoken } = await rookery.api.tokens.create({
      kind: 'http',
      memo: 'Wiki',
      placement: 'nas-02:/srv\u202e/plans.docx',
    })
    await fetch(decoytoken.url)
    const [alert] = await receiver.tries(1)
    expect(alert?.json).toMatchObject({ Reminder: 'Wiki', PlacedAt: 'nas-02:/srv\ufffd/plans.docx' })
  })
})
