// The stream is cut, or nothing answers: the page says so, asks by itself, misses nothing and shows nothing twice.
import { createServer, connect, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { Page } from 'playwright-core'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { inBrowser, openInbox, rowsOf, signUp } from './rig.ts'

const it = inBrowser()

/** A proxy before a console, whose streams can be cut and refused, or everything. */
async function openProxy(port: number) {
  const sockets = new Map<Socket, { isStream: boolean }>()
  let refused: 'nothing' | 'streams' | 'all' = 'nothing'
  const server = createServer((near) => {
    if (refused === 'all') return void near.destroy()
    const far = connect(port, '127.0.0.1')
    const state = { isStream: false }
    sockets.set(near, state)
    near.on('data', (bytes) => {
      state.isStream = bytes.toString('latin1').startsWith('GET /api/v1/live ')
      if (state.isStream && refused === 'streams') near.destroy()
      else far.write(bytes)
    })
    far.on('data', (bytes) => near.write(bytes))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => one.destroy())
      one.on('close', () => (other.destroy(), sockets.delete(near)))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const refuse = (what: typeof refused) => {
    refused = what
    for (const [socket, { isStream }] of sockets)
      if (what === 'all' || (what === 'streams' && isStream)) socket.destroy()
  }
  onTestFinished(() => {
    refuse('all')
    server.close()
  })
  const address = server.address()
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, refuse }
}

const connection = (page: Page, word: string) =>
  page.getByRole('status', { name: 'Connection' }).getByText(word).waitFor()

it('a cut stream is said and asked around; a console that does not answer is named with its time', async (rig) => {
  const rookery = await openTestConsole()
  const { page } = await rig.open()
  await signUp(page, rookery)
  const direct = new URL(rookery.console.apiUrl ?? '')
  const proxy = await openProxy(Number(direct.port))
  // The session's cookie belongs to the host; its other half is carried over to the proxy's port.
  const half = await page.evaluate(() => localStorage.getItem('rookery.page') ?? '')
  const through = `http://127.0.0.1:${proxy.port}`
  await page.goto(`${through}/icon.svg`)
  await page.evaluate((it) => localStorage.setItem('rookery.page', it), half)
  await page.goto(through)
  await connection(page, 'Live')
  let n = 0
  const touch = () => rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${++n}` }))
  await touch()
  await expect.poll(() => rowsOf(page)).toBe(1)

  proxy.refuse('streams')
  await connection(page, 'Reconnecting')
  await touch()
  await expect.poll(() => rowsOf(page)).toBe(2)

  proxy.refuse('all')
  await page
    .getByRole('alert')
    .getByText(/^Not connected since/)
    .waitFor()
  await connection(page, 'Offline')
  await touch()
  // What was tried meanwhile is refused in words, and the row comes back.
  await page.getByRole('grid').focus()
  await page.keyboard.press('e')
  await page
    .getByRole('status')
    .getByText(/^Not done:/)
    .waitFor()
  expect(await rowsOf(page)).toBe(2)

  proxy.refuse('nothing')
  await connection(page, 'Live')
  await page.keyboard.press('.')
  await expect.poll(() => rowsOf(page)).toBe(3)
  const sources = await page.getByRole('row').allTextContents()
  expect(sources.filter((text) => /192\.0\.2\.[123](?!\d)/.test(text))).toHaveLength(3)
  expect(await page.getByRole('alert').count()).toBe(0)
})

it('a console that restarts is found again, and the session with it', async (rig) => {
  const rookery = await openTestConsole()
  const { page } = await rig.open()
  await signUp(page, rookery)
  await openInbox(page, rookery)
  await connection(page, 'Live')
  const port = new URL(rookery.console.apiUrl ?? '').port
  await rookery.restart({ ROOKERY_LISTEN: `127.0.0.1:${port}` })
  await rookery.console.ingest.fromConsole(sshLogin())
  await connection(page, 'Live')
  await expect.poll(() => rowsOf(page)).toBe(1)
})
