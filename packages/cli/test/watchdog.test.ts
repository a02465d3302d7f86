// The watchdog of a real process: it ends a main thread that computes without an end, and no other.
import { execFileSync, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { newFolder } from './run-rookery.ts'

/** Of the product: 10 s. */
const SILENCE_MS = 1_000
const CHILD = join(import.meta.dirname, 'watchdog.child.ts')

async function watched(silenceMs = SILENCE_MS) {
  const folder = newFolder()
  const [note, fifo] = [join(folder, 'note'), join(folder, 'fifo')]
  execFileSync('mkfifo', [fifo])
  const child = fork(CHILD, [String(silenceMs), note, fifo], { silent: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  let log = ''
  child.stderr?.on('data', (piece: Buffer) => (log += piece.toString()))
  await once(child, 'message')
  return { child, note, fifo, log: () => log }
}

const signalOf = async (child: ChildProcess): Promise<unknown> =>
  ((await once(child, 'close')) as unknown[])[1]

const answers = async (child: ChildProcess): Promise<unknown> => {
  const said = once(child, 'message')
  child.send('answer')
  return ((await said) as unknown[])[0]
}

it('a process whose main thread computes without an end is ended, and the log says where it stood', async () => {
  const { child, note, log } = await watched()
  child.send('compute')
  expect(await signalOf(child)).toBe('SIGKILL')
  const reason = readFileSync(note, 'utf8')
  expect(reason).toMatch(
    /^its main thread computed for [\d.]+ s and answered nothing for [\d.]+ s, in computeForever \(.*watchdog\.child\.ts:\d+:\d+\)/,
  )
  expect(JSON.parse(log())).toMatchObject({ level: 50, msg: `The watchdog ends this process: ${reason}.` })
})

it('one whose main thread waits is logged, goes on, and is logged again when it answers', async () => {
  const { child, fifo, log } = await watched()
  child.send('wait')
  await expect.poll(log).toMatch(/answered nothing for [\d.]+ s\. It computed for 0\.\d s of it, so it waits/)
  const said = once(child, 'message')
  writeFileSync(fifo, '')
  expect(await said).toEqual(['here', undefined])
  await expect.poll(log).toMatch(/answers again, after/)
  expect(await answers(child)).toBe('here')
})

it('one that was paused for longer than that goes on, and nothing is logged', async () => {
  const paused = await watched()
  const clock = await watched(2 * SILENCE_MS)
  paused.child.kill('SIGSTOP')
  // What takes so long that the pause is long enough: another watchdog with twice the patience.
  clock.child.send('compute')
  await signalOf(clock.child)
  paused.child.kill('SIGCONT')
  expect(await answers(paused.child)).toBe('here')
  expect(paused.log()).toBe('')
})
