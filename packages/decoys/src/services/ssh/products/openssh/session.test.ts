import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { testContext } from '../../../../../test/session-context.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import { unencrypted } from '../../protocol/cipher/protection.ts'
import { string } from '../../protocol/codec/fields.ts'
import { newDirection, writePacket } from '../../protocol/codec/packet.ts'
import { passwordDelayMs } from './delays.ts'
import { sshSession } from './session.ts'
import { CLIENT_IDENT, clientKexInit, openClient, usualOffer } from '../../../../../lab/ssh/client.ts'
import { openDecoy, withoutDelays } from '../../../../../lab/ssh/decoy.ts'
import * as requests from '../../../../../lab/ssh/requests.ts'
import { versions } from './versions/all.ts'

const LOCAL = 'SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u10'
const startSession = (over: Partial<Parameters<typeof testContext>[0]> = {}, config = withoutDelays) =>
  sessionRunner(sshSession(config))(testContext(over))

let decoy: Awaited<ReturnType<typeof openDecoy>>
afterEach(() => decoy?.host.close())

/** A client after the key exchange and the service request. */
async function login(config = withoutDelays) {
  decoy = await openDecoy(config)
  const client = await openClient(decoy.port)
  await client.exchange()
  client.send(requests.serviceRequest('ssh-userauth'))
  await client.receive()
  return client
}
const fieldsOf = (logtype: string) =>
  decoy.touches.filter((touch) => touch.logtype === logtype).map(({ fields }) => fields)
const end = async (client: Awaited<ReturnType<typeof openClient>>): Promise<void> => {
  client.end()
  await client.rest()
  await decoy.host.close()
}

test('the greeting is sent at once; the offer waits for the client’s identification', () => {
  const session = startSession()
  expect(session.open()).toEqual({
    wakeMs: 120_000,
    state: expect.anything() as unknown,
    send: `${LOCAL}\r\n`,
  })
  const [reply] = session.receive(Buffer.from(`${CLIENT_IDENT}\r\n`))
  expect((reply!.send as Buffer)[5]).toBe(20)
})

test('a silent client raises 4000, one that identifies itself 4001', () => {
  const silent = startSession()
  silent.open()
  expect(silent.closed()).toEqual([{ logtype: '4000', fields: { LOCALVERSION: LOCAL } }])
  const named = startSession()
  named.open()
  named.receive(Buffer.from('SSH-2.0-Go\r\n'))
  expect(named.closed()).toEqual([
    { logtype: '4001', fields: { LOCALVERSION: LOCAL, REMOTEVERSION: 'SSH-2.0-Go' } },
  ])
})

test('each password raises an event with what was tried, and no other event follows', async () => {
  const client = await login()
  for (const text of ['123456', 'пароль', Buffer.from('J\xfcrgen\n', 'latin1'), '']) {
    client.send(requests.password('root', text))
    await client.receive()
  }
  await end(client)
  expect(decoy.touches.map(({ logtype }) => logtype)).toEqual(['4002', '4002', '4002', '4002'])
  expect(fieldsOf('4002').map(({ PASSWORD }) => PASSWORD)).toEqual(['123456', 'пароль', 'Jürgen\\n', ''])
  expect(fieldsOf('4002')[0]).toEqual({
    USERNAME: 'root',
    PASSWORD: '123456',
    LOCALVERSION: LOCAL,
    REMOTEVERSION: CLIENT_IDENT,
    TERMSIZE: '',
    TERMTYPE: '',
  })
})

test('each offered key raises an event with its fingerprint', async () => {
  const client = await login()
  const blob = Buffer.concat([string('ssh-ed25519'), string(Buffer.alloc(32, 7))])
  client.send(requests.publicKey('git', 'ssh-ed25519', blob))
  await client.receive()
  await end(client)
  const digest = createHash('sha256').update(blob).digest('base64').replace('=', '')
  expect(fieldsOf('4002')).toMatchObject([{ USERNAME: 'git', KEY: `SHA256:${digest} ssh-ed25519` }])
})

test('a client that only asks for the methods has tried no login', async () => {
  const client = await login()
  client.send(requests.none('root'))
  await client.receive()
  await end(client)
  expect(decoy.touches.map(({ logtype }) => logtype)).toEqual(['4001'])
})

test('the banner is shown once, before the first answer', async () => {
  const client = await login({ ...withoutDelays, banner: 'Authorised users only' })
  client.send(requests.none('root'))
  client.send(requests.password('root', 'x'))
  client.end()
  expect(await client.rest()).toEqual([
    'auth-banner "Authorised users only\\n"',
    'auth-failure publickey,password false',
    'auth-failure publickey,password false',
    'closed',
  ])
})

test('a version without host-bound keys does not announce them', async () => {
  const { versions } = await import('./versions/all.ts')
  decoy = await openDecoy({
    ...withoutDelays,
    version: versions.find(({ software }) => software.includes('8.4'))!,
  })
  const client = await openClient(decoy.port)
  expect((await client.exchange()).extInfo).not.toContain('hostbound')
})

test('after a wrong guess of the method one packet of the client is ignored, and no other', async () => {
  decoy = await openDecoy()
  const client = await openClient(decoy.port)
  client.write(`${CLIENT_IDENT}\r\n`)
  await client.receive()
  const offer = { ...usualOffer, kex: ['nonsense', 'curve25519-sha256'], isGuessSent: true }
  client.send(clientKexInit(offer))
  client.send(Buffer.from([30, 0, 0, 0, 0]))
  const key = Buffer.from('09'.padEnd(64, '0'), 'hex')
  client.send(Buffer.concat([Buffer.from([30]), string(key)]))
  expect((await client.receive())![0]).toBe(31)
  client.destroy()
})

test('a password is refused after the user’s minimum time, doubled until PAM is done', () => {
  const drawn = [0x00, 0xff].map((byte) => testContext({ random: (length) => Buffer.alloc(length, byte) }))
  const contexts = [...drawn, ...Array.from({ length: 40 }, () => testContext())]
  const delays = contexts.map((context) => passwordDelayMs(2_000, 'root', context))
  const least = Math.min(...delays)
  expect(least).toBeGreaterThanOrEqual(1000)
  expect(Math.max(...delays)).toBeLessThan(6000)
  for (const delay of delays) {
    const doublings = Math.log2(delay / least)
    expect(doublings).toBeCloseTo(Math.round(doublings), 2)
  }
})

test('the connection ends after 120 seconds, not before', () => {
  const session = startSession()
  expect(session.open().wakeMs).toBe(120_000)
  expect(session.receive(Buffer.from('SSH-2.0-a\r\n'))[0]?.wakeMs).toBeUndefined()
  expect(session.wake()?.close).toBe('close')
})

test('with 10.0 it ends up to four seconds later, and the source is refused for that', () => {
  const added: unknown[] = []
  const penalties = { add: (...of: unknown[]) => added.push(of), isRefused: () => false }
  const config = { ...withoutDelays, version: versions[0]!, penalties }
  const waits = Array.from({ length: 40 }, () => {
    const session = startSession({}, config)
    const { wakeMs = 0 } = session.open()
    session.wake()
    session.closed()
    return wakeMs
  })
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(120_000)
  expect(Math.max(...waits)).toBeLessThan(124_000)
  expect(new Set(waits).size).toBeGreaterThan(1)
  expect(added).toEqual(waits.map(() => ['203.0.113.9', 'grace-exceeded', expect.any(Number)]))
})

test('sshd starts a process before it identifies itself, which takes 8 ms or more', () => {
  const delays = Array.from({ length: 200 }, () => {
    const reply = startSession({}, { ...withoutDelays, pamDelayMs: 2_000 }).open()
    return reply.delayMs ?? 0
  })
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(8)
  expect(Math.max(...delays)).toBeLessThan(20)
  expect(new Set(delays).size).toBeGreaterThan(3)
})

test('no bytes make the machine throw, before or after the offers', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), fc.nat(2), fc.nat(63), (noise, stage, type) => {
      const session = startSession()
      session.open()
      if (stage > 0) session.receive(Buffer.from(`${CLIENT_IDENT}\r\n`))
      const offer = clientKexInit({ ...usualOffer, kex: ['curve25519-sha256'] })
      if (stage > 1) session.receive(plainPacket(offer))
      const bytes = Buffer.from(noise)
      const replies = [
        ...session.receive(stage > 0 ? plainPacket(Buffer.concat([Buffer.from([type]), bytes])) : bytes),
        ...session.receive(bytes),
      ]
      expect(replies.every(({ error }) => error === undefined)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

const plainPacket = (payload: Buffer): Buffer =>
  writePacket(payload, newDirection(unencrypted), Buffer.alloc).bytes
