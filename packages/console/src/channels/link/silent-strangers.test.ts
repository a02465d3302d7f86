// Strangers hold every place of a real Bird's decoys and say nothing; logins from elsewhere are incidents all the same.
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ownFolder } from '../../../test/own-folder.ts'
import { portOf, realBird, when } from '../../../test/real-bird.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const STRANGERS = Array.from({ length: 8 }, (_, n) => `127.0.66.${n + 1}`)
const CONNECTIONS = 512
const VISITORS = Array.from({ length: 5 }, (_, n) => `127.0.77.${n + 1}`)
const hasOpenSsh = spawnSync('ssh', ['-V']).status === 0

/** As many silent connections, from the strangers in turn; resolves once each is open, or was refused. */
async function holdFull(port: number): Promise<void> {
  const sockets: Socket[] = []
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  for (let n = 0; n < CONNECTIONS; n++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: STRANGERS[n % STRANGERS.length] })
    sockets.push(socket.on('error', () => undefined).resume())
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  }
}

const BODY = 'username=root&password=hunter2'

/** What a visitor sends at once to log in, and the logtype of the attempt. */
const LOGINS = {
  ftp: ['USER root\r\nPASS hunter2\r\n', '2000'],
  redis: ['AUTH hunter2\r\n', '21001'],
  http: [
    `POST /index.html HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    '3001',
  ],
} as const

async function logIn(port: number, localAddress: string, text: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.end(text).resume()
  await once(socket, 'close')
}

/** OpenSSH asks a program for the password where it has no terminal. */
async function sshLogin(port: number, from: string): Promise<void> {
  const folder = ownFolder()
  const program = join(folder, 'askpass')
  writeFileSync(program, '#!/bin/sh\necho hunter2\n')
  chmodSync(program, 0o700)
  const options = [
    `BindAddress=${from}`,
    'PreferredAuthentications=password',
    'NumberOfPasswordPrompts=1',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
  ].flatMap((option) => ['-o', option])
  const env = { PATH: process.env['PATH'], SSH_ASKPASS: program, SSH_ASKPASS_REQUIRE: 'force' }
  const args = ['-F', '/dev/null', ...options, '-p', String(port), 'root@127.0.0.1']
  const said = await new Promise<string>((resolve) =>
    execFile('ssh', args, { env }, (_, out, err) => resolve(out + err)),
  )
  expect(said).toContain('Permission denied (publickey,password).')
}

const sourcesOf = async ({ api }: TestConsole, logtype: string): Promise<string[]> =>
  (await api.incidentQueries.all({ shrink: false, limit: 500 })).incidents
    .filter(({ description }) => description.logtype === logtype)
    .map(({ description }) => description.src_host)
    .sort()

describe.each(engines)(
  `${CONNECTIONS} silent connections of ${STRANGERS.length} addresses on a decoy (%s)`,
  (engine) => {
    async function open() {
      const rookery = await openTestConsole({ engine })
      const bird = await realBird(rookery.console.linkUrl, await rookery.console.enrolLocalBird())
      await when(bird, ({ listening }) => listening.length === 4)
      return { rookery, bird }
    }

    it.each(['ftp', 'redis', 'http'] as const)(
      'keep no login at %s from being an incident',
      async (decoy) => {
        const { rookery, bird } = await open()
        await holdFull(portOf(bird, decoy))
        const [text, logtype] = LOGINS[decoy]
        await Promise.all(VISITORS.map((from) => logIn(portOf(bird, decoy), from, text)))
        await expect.poll(() => sourcesOf(rookery, logtype)).toEqual(VISITORS)
      },
    )

    it.skipIf(!hasOpenSsh)(
      'keep no login at ssh from being an incident (skipped where there is no ssh)',
      async () => {
        const { rookery, bird } = await open()
        await holdFull(portOf(bird, 'ssh'))
        await Promise.all(VISITORS.map((from) => sshLogin(portOf(bird, 'ssh'), from)))
        await expect.poll(() => sourcesOf(rookery, '4002')).toEqual(VISITORS)
      },
    )
  },
)
