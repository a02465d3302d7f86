import { expect, it } from 'vitest'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { freshDatabase, openTestConsole } from '../../../test/test-console.ts'
import { batch, helloBird, sshEvent } from '../../../test/link-bird.ts'
import { systemClock } from '../../world/system.ts'

it('a Bird learns what another console on the same database decided', async () => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const links = await openTestConsole({ env, parts: ['link'] })
  const api = await openTestConsole({ env, parts: ['api'] })
  const bird = await helloBird(links.console.linkUrl)
  await bird.receives('PENDING')
  const devices = (await api.api.registration.pending()).devices
  const node_id = devices[0]?.id ?? ''
  await api.api.registration.commission({ node_id })
  expect((await bird.receives('COMMISSIONED')).nodeId).toBe(node_id)
  bird.send(batch([sshEvent(1)]))
  await bird.receives('ACK')
  expect(await api.api.registration.decommission({ node_id })).toMatchObject({ delayed: true })
  expect((await bird.receives('CMD')).kind).toBe('decommission')
})

it('an enrolment code of a minute is taken by a console whose clock is 200 s ahead', async () => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const clock = { ...systemClock, now: () => systemClock.now() + 200_000 }
  const right = await openTestConsole({ env, parts: ['api'] })
  const ahead = await openTestConsole({ env, world: { clock }, time: 'database', parts: ['link'] })
  const { code } = await right.api.enrolments.create({ flock_id: 'flock:default', minutes: 1 })
  const bird = await helloBird(ahead.console.linkUrl, { enrol: parseEnrolment(code).secret })
  expect((await bird.receives('COMMISSIONED')).nodeId).toMatch(/^[0-9a-f]{16}$/)
})
