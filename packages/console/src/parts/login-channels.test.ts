// The listeners of MySQL and PostgreSQL where their ports are taken at the start.
import { createServer, type AddressInfo, type Server } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openTestConsole } from '../../test/test-console.ts'
import { hostPort } from '../net/host-port.ts'
import { OPTIONS } from '../options.ts'

/** Listens there, if nobody else of this machine does. */
async function take(address: string): Promise<Server> {
  const { host, port } = hostPort(address)
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.once('error', () => resolve()).listen(port, host, resolve))
  return server
}

it.each([
  ['mysql', 'ROOKERY_TOKENS_MYSQL_LISTEN', 'dbdump'],
  ['postgres', 'ROOKERY_TOKENS_POSTGRES_LISTEN', 'sql'],
] as const)('%s stays closed where its default port is taken, and says so', async (channel, option, kind) => {
  const at = OPTIONS[option].default
  await take(at)
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const { console, api } = await openTestConsole({ log, env: { [option]: at } })
  expect(console[`${channel}Address`]).toBeUndefined()
  expect(lines.filter((line) => line.includes('its default address cannot be opened'))).toEqual([
    expect.stringContaining(`"option":"${option}"`),
  ])
  const { channels } = await api.tokens.channels()
  expect(channels.find((it) => it.channel === channel)).toMatchObject({
    listens: '',
    missing: expect.arrayContaining([expect.stringContaining(option)]) as string[],
  })
  const { warnings } = await api.tokens.create({ kind, memo: 'x' })
  expect(warnings?.join(' ')).toContain(option)
})

it.each(['ROOKERY_TOKENS_MYSQL_LISTEN', 'ROOKERY_TOKENS_POSTGRES_LISTEN'] as const)(
  '%s that was asked for and is taken stops the start',
  async (option) => {
    const { port } = (await take('127.0.0.1:0')).address() as AddressInfo
    await expect(openTestConsole({ env: { [option]: `127.0.0.1:${port}` } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  },
)
