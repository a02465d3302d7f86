import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { engines, openTestConsole } from '../../test/test-console.ts'

describe.each(engines)('readiness (%s)', (engine) => {
  it('a console that stops says so to balancers, on connections that it still serves', async () => {
    const { console } = await openTestConsole({ engine })
    const { hostname, port } = new URL(console.apiUrl ?? '')
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()))
    const question = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`
    // The second request has begun when the first one is answered: the stop waits for its end.
    socket.write(`${question('/readyz')}\r\n${question('/readyz')}`)
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 200 /)
    received = ''
    const stopped = console.stop()
    socket.write('\r\n')
    await once(socket, 'close')
    await stopped
    expect(received).toMatch(/^HTTP\/1\.1 503 /)
    expect(received).toContain('The console is stopping.')
  })
})
