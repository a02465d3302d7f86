import { describe, expect, it } from 'vitest'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { helloBird } from '../../../test/link-bird.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const listed = async (rookery: TestConsole) => (await rookery.api.enrolments.list()).enrolments

describe.each(engines)('enrolment codes (%s)', (engine) => {
  it('commission a Bird in their Flock at once, as often as they say', async () => {
    const rookery = await openTestConsole({ engine })
    const { flock_id } = await rookery.api.flocks.create({ name: 'Lab' })
    const made = await rookery.api.enrolments.create({ flock_id: String(flock_id), uses: 2, minutes: 5 })
    expect(made.command).toBe(`rookery bird --console ${rookery.console.apiUrl} --enrol ${made.code}`)
    expect(await listed(rookery)).toMatchObject([{ enrolment_id: made.enrolment_id, flock_id, uses_left: 2 }])

    const { secret } = parseEnrolment(made.code)
    const bird = await helloBird(rookery.console.linkUrl, { enrol: secret })
    const { nodeId } = await bird.receives('COMMISSIONED')
    const { device } = await rookery.api.birdQueries.info({ node_id: nodeId })
    expect(device['flock_id']).toBe(flock_id)
    expect(await listed(rookery)).toMatchObject([{ uses_left: 1 }])
    const rows = await rookery.console.base.reader.selectFrom('enrolment').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('are void once they are revoked or expired; an unknown one cannot be revoked', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const { enrolment_id, code } = await rookery.api.enrolments.create({ minutes: 5 })
    const { status } = await rookery.post('/enrolment/revoke', { enrolment_id })
    const again = await rookery.post('/enrolment/revoke', { enrolment_id })
    expect([status, again.status, again.json['message']]).toEqual([
      200,
      404,
      'Enrolment code does not exist.',
    ])
    const bird = await helloBird(rookery.console.linkUrl, { enrol: parseEnrolment(code).secret })
    expect(await bird.receives('REFUSED')).toMatchObject({
      reason: 'bad-enrolment',
      message: 'The code is unknown here, was revoked, or expired long ago.',
    })
    const late = await rookery.api.enrolments.create({ minutes: 5 })
    clock.advance(5 * 60_000)
    expect(await listed(rookery)).toEqual([])
    const lateBird = await helloBird(rookery.console.linkUrl, { enrol: parseEnrolment(late.code).secret })
    const refused = await lateBird.receives('REFUSED')
    expect(refused).toMatchObject({
      reason: 'bad-enrolment',
      message: expect.stringMatching(/^The code expired at \d{4}-.*\.$/) as string,
    })
  })

  it('are made for a Flock that is there, some Birds and some minutes', async () => {
    const rookery = await openTestConsole({ engine })
    const make = async (params: Record<string, string | number>): Promise<unknown[]> => {
      const { status, json } = await rookery.post('/enrolment/create', params)
      return [status, json['details'] ?? json['message']]
    }
    expect(await make({ flock_id: 'flock:none' })).toEqual([404, 'Flock does not exist.'])
    for (const [parameter, wrong] of [
      ['uses', 0],
      ['uses', 10_001],
      ['minutes', 0],
      ['minutes', 527_041],
    ] as const)
      expect(await make({ [parameter]: wrong })).toEqual([
        400,
        { [parameter]: expect.stringContaining(`not "${wrong}"`) as string },
      ])
    expect(await listed(rookery)).toEqual([])
  })
})
