// A real Bird process is killed at random moments, while intruders send lines and the console acknowledges them or not.
import { randomBytes } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestConsole, lineSettings, temporaryFolder } from '../test/test-bird.ts'

const ROUNDS = Number(process.env['ROOKERY_KILLS'] ?? 5)
const script = fileURLToPath(new URL('../test/bird.child.ts', import.meta.url))

async function startChild(
  url: string,
  dataDir: string,
): Promise<{ child: ChildProcess; port: number; errors: () => string }> {
  const child = spawn(process.execPath, [script, url, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr!.on('data', (text: Buffer) => (errors += text.toString()))
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, port: Number(/port (\d+)/.exec(line.toString())?.[1]), errors: () => errors }
}

/** Sends numbered lines, eight ahead of the answers, until the Bird is gone; resolves with the last number that was answered. */
function sendNumberedLines(
  port: number,
  name: string,
  from: number,
  onAnswer: (number: number) => void,
): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let next = from
    let answered = from - 1
    let text = ''
    const send = (): void => void socket.write(`${name} ${next++}\n`)
    socket.on('connect', () => Array.from({ length: 8 }, send))
    socket.on('data', (bytes) => {
      text += bytes.toString()
      const lines = text.split('\n')
      text = lines.pop()!
      for (const line of lines) {
        answered = Number(line.split(' ').at(-1))
        onAnswer(answered)
        send()
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answered))
  })
}

test(
  'a Bird that is killed loses no event it has answered, sends none twice, and sends them in order',
  async () => {
    const console = await startTestConsole()
    const dataDir = temporaryFolder()
    console.isCommissioned = true
    console.offer(lineSettings)
    const answered = new Map<string, number>()
    const seed = randomBytes(4).readInt32LE()
    const moment = fc.record({
      after: fc.integer({ min: 1, max: 400 }),
      acks: fc.boolean(),
      commits: fc.boolean(),
    })
    const moments = fc.sample(moment, { numRuns: ROUNDS, seed })
    for (const [round, { after, acks, commits }] of moments.entries()) {
      Object.assign(console, { acks, commits })
      const { child, port } = await startChild(console.url, dataDir)
      let answers = 0
      const gone = once(child, 'exit')
      const count = (): void => void (++answers === after && child.kill('SIGKILL'))
      const names = [`a${round}`, `b${round}`]
      const last = await Promise.all(names.map((name) => sendNumberedLines(port, name, 1, count)))
      names.forEach((name, i) => answered.set(name, last[i]!))
      await gone
    }
    Object.assign(console, { acks: true, commits: true })
    const { child, port } = await startChild(console.url, dataDir)
    const last = await new Promise<number>((resolve) => {
      void sendNumberedLines(port, 'end', 1, (number) => number === 1 && resolve(1))
    })
    answered.set('end', last)
    await console.until(() => console.events.some(({ fields }) => fields['CMD'] === 'end 1'))
    child.kill('SIGKILL')
    await once(child, 'exit')

    const stored = new Map<string, number[]>()
    for (const { fields } of console.events) {
      const [name, number] = String(fields['CMD']).split(' ')
      stored.set(name!, [...(stored.get(name!) ?? []), Number(number)])
    }
    const inOrder = (length: number) => Array.from({ length }, (_, i) => i + 1)
    for (const [name, count] of answered) {
      const numbers = stored.get(name) ?? []
      expect({ seed, name, numbers }).toEqual({ seed, name, numbers: inOrder(numbers.length) })
      expect(numbers.length, `events of ${name}, seed ${seed}`).toBeGreaterThanOrEqual(count)
    }
    const spools = new Set(console.events.map(({ spoolId }) => spoolId))
    expect(spools.size).toBe(1)
    expect(console.events.map(({ seq }) => seq)).toEqual(inOrder(console.events.length))
  },
  Math.max(180_000, ROUNDS * 2_000),
)
