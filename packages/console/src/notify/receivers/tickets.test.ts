// Jira and ServiceNow: one ticket an incident.
import { describe, expect, it } from 'vitest'
import { openYard } from '../../../test/receiver-yard.ts'

describe.each([
  ['jira', 'comment', 'transitions'],
  ['servicenow', 'work_notes', 'close_code'],
] as const)('tickets of %s', (kind, comments, closing) => {
  const changes = (yard: Awaited<ReturnType<typeof openYard>>) =>
    yard.sent.filter(({ method }) => method !== 'GET').map(({ url, body = '' }) => `${url} ${body}`)

  async function withTicket(more: object) {
    const yard = await openYard(kind)
    await yard.add(more)
    await yard.raise()
    const { json } = await yard.rookery.get('/incidents/unacknowledged')
    const [{ id = '' } = {}] = json['incidents'] as unknown as { id: string }[]
    const become = async (path: string) => {
      expect((await yard.rookery.post(`/incident/${path}`, { incident: id })).status).toBe(200)
      await yard.idle()
    }
    return { ...yard, yard, become }
  }

  it('are one an incident, also when its alert is sent again', async () => {
    const { yard, rookery, deliveries, idle } = await withTicket({})
    const [delivery] = await deliveries()
    expect(delivery?.state).toBe('delivered')
    await rookery.post('/delivery/replay', { delivery_id: delivery?.delivery_id ?? '' })
    await idle()
    expect(changes(yard)).toHaveLength(1)
    expect((await deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  })

  it('are commented at most once an hour, and stay open', async () => {
    const { yard, become, pass } = await withTicket({})
    await become('acknowledge')
    await become('unacknowledge')
    await become('acknowledge')
    expect(changes(yard).filter((it) => it.includes(comments))).toHaveLength(1)
    await pass(3_600_000)
    await become('unacknowledge')
    await become('acknowledge')
    expect(changes(yard).filter((it) => it.includes(comments))).toHaveLength(2)
    expect(changes(yard).join()).not.toContain(closing)
  })

  it('are closed when acknowledged where that is asked for, once', async () => {
    const { yard, become, verdicts } = await withTicket({ close_acknowledged: true })
    await become('acknowledge')
    await become('unacknowledge')
    await become('acknowledge')
    expect(changes(yard).filter((it) => it.includes(closing))).toHaveLength(1)
    expect(verdicts.filter(({ status }) => status >= 300)).toEqual([])
  })
})

it('Jira says what to do where an account may close nothing', async () => {
  const { add, raise, rookery, answer, deliveries, idle } = await openYard('jira')
  await add({ close_acknowledged: true })
  await raise()
  const { json } = await rookery.get('/incidents/unacknowledged')
  const [{ id = '' } = {}] = json['incidents'] as unknown as { id: string }[]
  answer(({ url, method }) =>
    method === 'GET' && url.endsWith('/transitions')
      ? { status: 200, body: '{"transitions":[]}' }
      : undefined,
  )
  await rookery.post('/incident/acknowledge', { incident: id })
  await idle()
  const [last] = await deliveries()
  expect([last?.state, last?.reason]).toEqual(['waiting', expect.stringMatching(/category Done/)])
})
