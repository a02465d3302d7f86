// The listeners of MySQL and PostgreSQL where their ports are taken at the start.
import { createServer } from 'node:net'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { listen, occupy } from '../../test/listen.ts'
import { openTestConsole } from '../../test/test-console.ts'
import { OPTIONS } from '../config/options.ts'

it.each([
  ['mysql', 'ROOKERY_TOKENS_MYSQL_LISTEN', 'dbdump'],
  ['postgres', 'ROOKERY_TOKENS_POSTGRES_LISTEN', 'sql'],
] as const)('%s stays closed where its default port is taken, and says so', async (channel, option, kind) => {
  const at = OPTIONS[option].default
  await occupy(at)
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
    const at = `127.0.0.1:${await listen(createServer())}`
    await expect(openTestConsole({ env: { [option]: at } })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  },
)
