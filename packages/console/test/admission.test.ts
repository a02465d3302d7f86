import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openTestConsole } from './test-console.ts'

/** Connections to this address that say nothing, and whether each is still open once the last has been judged. */
async function openSilent(url: string, count: number): Promise<boolean[]> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let n = 0; n < count; n++) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    sockets.push(socket)
    await new Promise((done) => socket.once('connect', done))
  }
  await new Promise((done) => sockets.at(-1)?.resume().once('close', done))
  return sockets.map((socket) => !socket.destroyed)
}

it('one address cannot hold more connections than the option says, to the tokens, the API and the links', async () => {
  const env = { ROOKERY_CONNECTIONS_PER_SOURCE: '3' }
  const rookery = await openTestConsole({ env })
  for (const url of [rookery.console.tokensUrl ?? '', rookery.console.apiUrl ?? '']) {
    expect(await openSilent(url, 4)).toEqual([true, true, true, false])
  }
})

it('an option that is no number is refused at the start', async () => {
  for (const wrong of ['0', '-1', 'many', '1e3', '100001']) {
    await expect(openTestConsole({ env: { ROOKERY_CONNECTIONS_PER_SOURCE: wrong } })).rejects.toThrow(
      `ROOKERY_CONNECTIONS_PER_SOURCE must be a whole number from 1 to 100000, not "${wrong}".`,
    )
  }
})
