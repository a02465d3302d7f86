import { expect, it } from 'vitest'
import { freshDatabase, openTestConsole } from '../../../test/test-console.ts'
import { batch, connectBird, hello, sshEvent } from '../../../test/link-bird.ts'

it('a Bird learns what another console on the same database decided', async () => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const links = await openTestConsole({ env, parts: ['link'] })
  const api = await openTestConsole({ env, parts: ['api'] })
  const bird = await connectBird(links.console.linkUrl)
  bird.send(hello())
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
