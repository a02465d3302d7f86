// The PostgreSQL channel of tokens as a client library sees it: node-postgres.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { hostPort } from '../../addresses/host-port.ts'

/** Logs in, and answers how it was refused. */
async function logIn({ console }: TestConsole, user: string, database: string): Promise<unknown> {
  const { host, port } = hostPort(console.postgresAddress ?? '')
  const client = new pg.Client({ host, port, user, database, password: 'x' })
  return client.connect().catch((error: unknown) => error)
}

describe.each(engines)('a login by PostgreSQL (%s)', (engine) => {
  it('fires for the token in its user or database, and is refused as by a server', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken } = await rookery.api.tokens.create({ kind: 'dns', memo: 'x' })
    const { decoytoken: id } = decoytoken
    for (const [user, database] of [
      [id, 'crm'],
      [id, 'crm'],
      ['app', id],
    ] as const)
      expect(await logIn(rookery, user, database)).toMatchObject({
        severity: 'FATAL',
        code: '28000',
        routine: 'ClientAuthentication',
        message: `no pg_hba.conf entry for host "127.0.0.1", user "${user}", database "${database}", no encryption`,
      })
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents.map(({ description }) => [description.logtype, description.events_count])).toEqual([
      ['16000', '2'],
    ])
    expect(incidents[0]?.description.events[0]).toMatchObject({
      dst_port: hostPort(rookery.console.postgresAddress ?? '').port,
      decoytoken: id,
      src_host: '127.0.0.1',
      headers: {},
    })
  })
})

it('a login without a token raises nothing', async () => {
  const rookery = await openTestConsole()
  expect(await logIn(rookery, 'postgres', 'postgres')).toMatchObject({ code: '28000' })
  expect((await rookery.api.incidentQueries.all()).incidents).toEqual([])
})
