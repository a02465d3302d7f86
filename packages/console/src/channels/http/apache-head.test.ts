import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openTestConsole } from '../../../test/test-console.ts'

/** Sends each text once the answer to the one before has come; resolves with all that came when the server has closed. */
async function converse(url: string, texts: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let said = ''
  const waiting = [...texts]
  const sendNext = (): void => void socket.write(waiting.shift() ?? '')
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (bytes: Buffer) => {
      said += bytes.toString('latin1')
      sendNext()
    })
    socket.on('end', () => resolve()).on('error', reject)
    sendNext()
  })
  return said
}

const get = (version: string, ...fields: readonly string[]): string =>
  [`GET /about.gif HTTP/${version}`, 'Host: x', ...fields, '', ''].join('\r\n')

/** Field lines of each answer, without the values that vary. */
const heads = (said: string): string[][] =>
  [...said.matchAll(/HTTP\/1\.1 \d{3} .*?\r\n\r\n/gs)].map(([head]) =>
    head
      .trimEnd()
      .replace(/Date: \w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT/, 'Date: …')
      .split('\r\n'),
  )

const OWN = ['HTTP/1.1 200 OK', 'Date: …', 'Server: Apache']
const UNSTORED = ['Cache-Control: no-store, max-age=0', 'X-Robots-Tag: noindex', 'Content-Length: 42']
const TYPE = 'Content-Type: image/gif'

it('the token host writes its fields in the order of Apache, and names Keep-Alive to who asks for it', async () => {
  const { console } = await openTestConsole()
  const said = await converse(console.tokensUrl ?? '', [
    get('1.1'),
    get('1.1', 'Connection: keep-alive'),
    get('1.0', 'Connection: Keep-Alive'),
    get('1.1', 'Connection: close'),
  ])
  expect(heads(said)).toEqual([
    [...OWN, ...UNSTORED, TYPE],
    [...OWN, ...UNSTORED, 'Keep-Alive: timeout=5, max=99', 'Connection: Keep-Alive', TYPE],
    [...OWN, ...UNSTORED, 'Keep-Alive: timeout=5, max=98', 'Connection: Keep-Alive', TYPE],
    [...OWN, ...UNSTORED, 'Connection: close', TYPE],
  ])
})

it('it closes behind an answer to HTTP/1.0, and behind the 101st of a connection', async () => {
  const { console } = await openTestConsole()
  const url = console.tokensUrl ?? ''
  expect(heads(await converse(url, [get('1.0')]))).toEqual([[...OWN, ...UNSTORED, 'Connection: close', TYPE]])
  const many = heads(await converse(url, Array<string>(101).fill(get('1.1', 'Connection: keep-alive'))))
  expect(many).toHaveLength(101)
  expect(many[99]).toContain('Keep-Alive: timeout=5, max=1')
  expect(many[100]).toEqual([...OWN, ...UNSTORED, 'Connection: close', TYPE])
})

it('what is no request is answered with the page of Apache', async () => {
  const { console } = await openTestConsole()
  const said = await converse(console.tokensUrl ?? '', ['nonsense\r\n\r\n'])
  expect(heads(said)).toEqual([
    [
      'HTTP/1.1 400 Bad Request',
      'Date: …',
      'Server: Apache',
      'Content-Length: 266',
      'Connection: close',
      'Content-Type: text/html; charset=iso-8859-1',
    ],
  ])
  expect(said.split('\r\n\r\n')[1]).toHaveLength(266)
})
