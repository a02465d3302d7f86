// Logins and handshakes of tokens while PostgreSQL is away: answered within the wait of HTTP, and counted once each afterwards.
import { createSocket } from 'node:dgram'
import { expect, it, onTestFinished } from 'vitest'
import { sealInitiation } from '@rookery/tokens/channels/wireguard/seal-initiation.ts'
import { hostPort } from '../../src/addresses/host-port.ts'
import { systemRandom } from '../../src/world/system.ts'
import { downloadToken } from '../download-token.ts'
import { logInByMysql, logInByPostgres } from '../log-in.ts'
import { ownTimeMs } from '../own-time.ts'
import { openProxy } from '../postgres-proxy.ts'
import { openTestConsole, type TestConsole } from '../test-console.ts'

/** The client of a configuration, as its user has it: begins handshakes again and again, as WireGuard does. */
async function openTunnel(rookery: TestConsole, tokenId: string) {
  const text = (await downloadToken(rookery, tokenId)).toString()
  const key = (name: string): Buffer =>
    Buffer.from(new RegExp(`^${name} = (.*)$`, 'm').exec(text)?.[1] ?? '', 'base64')
  const keys = { own: key('PrivateKey'), responder: key('PublicKey') }
  const { host, port } = hostPort(rookery.console.wireguardAddress ?? '')
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  return async (): Promise<void> => {
    const sentAt = rookery.console.base.world.clock.now()
    const message = sealInitiation({ ...keys, ephemeral: systemRandom.bytes(32), sentAt })
    await new Promise((resolve) => socket.send(message, port, host, resolve))
  }
}

it('touches by MySQL, PostgreSQL and WireGuard while the database is away count once each when it is back', async () => {
  const proxy = await openProxy()
  const rookery = await openTestConsole({ env: { ROOKERY_DATABASE_URL: proxy.url } })
  const plant = async (kind: string): Promise<string> =>
    (await rookery.api.tokens.create({ kind, memo: kind })).decoytoken.decoytoken
  const [dump, table, vpn] = [await plant('dbdump'), await plant('sql'), await plant('vpn')]
  const beginHandshake = await openTunnel(rookery, vpn)
  proxy.shut()
  const tookMs = await ownTimeMs(async () => {
    const answers = await Promise.all([
      logInByMysql(rookery.console.mysqlAddress ?? '', dump),
      logInByPostgres(rookery.console.postgresAddress ?? '', table),
      ...[beginHandshake(), beginHandshake(), beginHandshake()],
    ])
    expect(answers.slice(0, 2)).toEqual([
      expect.stringContaining('Access denied for user'),
      expect.stringContaining('no pg_hba.conf entry'),
    ])
  })
  expect(tookMs).toBeLessThan(2_000)
  proxy.open()
  const counted = async () =>
    (await rookery.api.incidentQueries.all()).incidents
      .map(({ description }) => [description.memo, description.events_count])
      .sort()
  await expect.poll(counted).toEqual([
    ['dbdump', '1'],
    ['sql', '1'],
    ['vpn', '1'],
  ])
})
