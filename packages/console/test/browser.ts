// A browser that a test steers, by its own protocol over a pipe of JSON. There is one where `chromium` is on the PATH.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

/** The command that starts it; undefined where there is none. */
export const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)

export interface Page {
  /** Every address that the page asked for. */
  readonly asked: readonly string[]
  /** What the browser complained of: exceptions, refused loads. */
  readonly complaints: readonly string[]
  /** Runs an expression in the page and answers its value, awaited. */
  run<T>(expression: string): Promise<T>
  /** Waits until the expression is true, looking whenever the browser has drawn. */
  until(expression: string): Promise<void>
  /** Clicks on the element that the expression finds. */
  click(expression: string): Promise<void>
  /** Types into whatever has the focus. */
  type(text: string): Promise<void>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

const PATIENCE_MS = 15_000

/** Opens a page in a browser that lives until the test ends. */
export async function openPage(url: string): Promise<Page> {
  const profile = mkdtempSync(join(tmpdir(), 'rookery-browser-'))
  const child = spawn(
    chromium ?? '',
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--window-size=1400,900',
      '--disable-background-networking',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  })
  const endpoint = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (piece: Buffer) => {
      said += piece.toString()
      const [, found] = /DevTools listening on (ws:\S+)/.exec(said) ?? []
      if (found) resolve(found)
    })
    void gone.then(() => reject(new Error(`the browser ended: ${said.slice(-500)}`)))
  })
  const targets = (await (await fetch(`http://${new URL(endpoint).host}/json`)).json()) as {
    type: string
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '')
  await new Promise<void>((resolve, reject) => socket.once('open', () => resolve()).once('error', reject))
  socket.on('error', () => undefined)

  const asked: string[] = []
  const complaints: string[] = []
  const waiting = new Map<number, (message: Message) => void>()
  let last = 0
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    const { method, params = {} } = message
    if (method === 'Network.requestWillBeSent') asked.push((params['request'] as { url: string }).url)
    if (method === 'Runtime.exceptionThrown')
      complaints.push(
        JSON.stringify((params['exceptionDetails'] as { exception?: object }).exception).slice(0, 500),
      )
    if (method === 'Log.entryAdded') {
      const { level, text } = params['entry'] as { level: string; text: string }
      if (level === 'error') complaints.push(text)
    }
  })
  const send = (method: string, params: object = {}): Promise<Message> =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, (message) => {
        waiting.delete(id)
        if (message.error) reject(new Error(`${method}: ${message.error.message}`))
        else resolve(message)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
  async function run<T>(expression: string): Promise<T> {
    const { result } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (result?.['exceptionDetails'])
      throw new Error(`${expression}: ${JSON.stringify(result['exceptionDetails']).slice(0, 500)}`)
    return (result?.['result'] as { value: T }).value
  }
  for (const domain of ['Network', 'Runtime', 'Log', 'Page']) await send(`${domain}.enable`)
  await send('Page.navigate', { url })
  return {
    asked,
    complaints,
    run,
    click: (expression) => run(`(${expression}).click()`).then(() => undefined),
    type: (text) => send('Input.insertText', { text }).then(() => undefined),
    async until(expression) {
      const isTrue = await run<boolean>(`new Promise((resolve) => {
        const until = performance.now() + ${PATIENCE_MS}
        const look = () => {
          if (${expression}) resolve(true)
          else if (performance.now() > until) resolve(false)
          else setTimeout(look, 20)
        }
        look()
      })`)
      if (!isTrue) throw new Error(`not in ${PATIENCE_MS} ms: ${expression}; ${complaints.join(' ')}`)
    },
  }
}
