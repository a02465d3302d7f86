// The MySQL channel of tokens as a client of the wire sees it.
import { describe, expect, it } from 'vitest'
import type { MysqlClient } from '@rookery/tokens/client-logins.ts'
import { logInByMysql } from '../../../test/log-in.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { hostPort } from '../../addresses/host-port.ts'

const logIn = ({ console }: TestConsole, user: string, more: Partial<MysqlClient> = {}): Promise<string> =>
  logInByMysql(console.mysqlAddress ?? '', user, more)

describe.each(engines)('a login by MySQL (%s)', (engine) => {
  it('fires for the token in its user name, once for each visit, and shows the server that restored a dump', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken } = await rookery.api.tokens.create({ kind: 'dbdump', memo: 'x' })
    const { decoytoken: id } = decoytoken
    const user = `${id}.de_DE.db1.corp.example`
    const attributes = { _client_version: '10.11.14', _os: 'debian-linux-gnu', _pid: '7' }
    for (let n = 0; n < 2; n++)
      expect(await logIn(rookery, user, { password: Buffer.alloc(20, 'x'), attributes })).toBe(
        `#28000Access denied for user '${user}'@'127.0.0.1' (using password: YES)`,
      )
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents.map(({ description }) => description)).toEqual([
      expect.objectContaining({
        logtype: '17029',
        events_count: '1',
        events: [
          expect.objectContaining({
            decoytoken: id,
            type: 'dbdump',
            event_name: '',
            src_host: '127.0.0.1',
            headers: {},
            dst_port: hostPort(rookery.console.mysqlAddress ?? '').port,
            username: user,
            locale: 'de_DE',
            hostname: 'db1.corp.example',
            client_version: '10.11.14',
            os: 'debian-linux-gnu',
          }),
        ],
      }),
    ])
  })

  it('of a user that no database stores as it is fires all the same', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken } = await rookery.api.tokens.create({ kind: 'dbdump', memo: 'x' })
    const attributes = { _os: 'a\0b' }
    await logIn(rookery, decoytoken.decoytoken, { attributes })
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents.map(({ description }) => description.logtype)).toEqual(['17029'])
  })
})

it('a login without a token raises nothing', async () => {
  const rookery = await openTestConsole()
  expect(await logIn(rookery, 'root')).toContain("Access denied for user 'root'@'127.0.0.1'")
  expect((await rookery.api.incidentQueries.all()).incidents).toEqual([])
})
