// Logins at the listeners of tokens, as clients of MySQL and PostgreSQL begin them.
import { connect } from 'node:net'
import pg from 'pg'
import { mysqlLogin, type MysqlClient } from '@rookery/tokens/client-logins.ts'
import { hostPort } from '../src/addresses/host-port.ts'

/** The text of the refusal. */
export async function logInByMysql(
  address: string,
  user: string,
  more: Partial<MysqlClient> = {},
): Promise<string> {
  const { host, port } = hostPort(address)
  const socket = connect(port, host)
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString('latin1')))
  socket.on('error', () => undefined)
  socket.write(mysqlLogin({ user, ...more }))
  await new Promise((resolve) => socket.once('close', resolve))
  return text.slice(text.indexOf('#28000'))
}

/** The text of the refusal. */
export async function logInByPostgres(address: string, user: string): Promise<string> {
  const { host, port } = hostPort(address)
  const client = new pg.Client({ host, port, user, database: 'crm', password: 'x' })
  return client.connect().then(
    () => 'let in',
    (error: unknown) => (error as Error).message,
  )
}
