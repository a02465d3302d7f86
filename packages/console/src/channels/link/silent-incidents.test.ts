// A connection on which nothing is said, and one that a decoy's server would refuse, are incidents of their own kind.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { portOf, realBird, when } from '../../../test/real-bird.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const SILENT = '127.0.55.1'
const CROWD = '127.0.55.2'
/** vsftpd's max_per_ip. */
const OF_ONE_SOURCE = 50

/** Open, and silent until the test ends. */
async function visit(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket.resume()
}

const silentIncidents = async ({ api }: TestConsole): Promise<unknown[]> =>
  (await api.incidentQueries.all({ shrink: false })).incidents
    .map(({ description }) => description)
    .filter(({ logtype }) => logtype === '22003')
    .map(({ description, src_host, dst_port, events }) => [
      description,
      src_host,
      dst_port,
      events.map(({ SERVICE, COUNT, REFUSED }) => ({ SERVICE, COUNT, REFUSED })),
    ])

describe.each(engines)('connections without a word (%s)', (engine) => {
  it('are incidents that say which service, how many, and how many of them were refused', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await realBird(rookery.console.linkUrl, await rookery.console.enrolLocalBird())
    await when(bird, ({ listening }) => listening.length === 4)

    const silent = await visit(portOf(bird, 'redis'), SILENT)
    silent.destroy()
    const title = 'Silent or Refused Connections'
    const said = [title, SILENT, '6379', [{ SERVICE: 'redis', COUNT: 1, REFUSED: 0 }]]
    await expect.poll(() => silentIncidents(rookery)).toEqual([said])

    for (let n = 0; n < OF_ONE_SOURCE; n++) await visit(portOf(bird, 'ftp'), CROWD)
    await once(await visit(portOf(bird, 'ftp'), CROWD), 'close')
    const refused = [title, CROWD, '21', [{ SERVICE: 'ftp', COUNT: 1, REFUSED: 1 }]]
    await expect.poll(() => silentIncidents(rookery)).toEqual(expect.arrayContaining([said, refused]))
  })
})
