// What a client meets where key exchanges have to wait: the offers and silence, or the refusal of MaxStartups at the door.
import { afterEach, expect, test } from 'vitest'
import { manualClock } from '../../../../test/manual-clock.ts'
import { connectTo } from '../../../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../../../test/test-host.ts'
import type { Host } from '../../../host/host.ts'
import { exchangeBudget } from './exchange-budget.ts'
import { sshService } from '../ssh-service.ts'
import { openClient } from '../../../../lab/ssh/client.ts'

const SOURCE = '127.0.0.1'
const ELSEWHERE = '127.0.0.9'

let host: Host | undefined
afterEach(() => host?.close())

/** One exchange a second and source; its clock stands still. */
async function open() {
  const clock = manualClock()
  const budget = exchangeBudget({ perSource: 1, perBird: 50 })
  const waits: number[] = []
  const reserve: typeof budget.reserve = (source, now) => {
    const wait = budget.reserve(source, now)
    waits.push(wait)
    return wait
  }
  const opened = openTestHost({ clock })
  host = opened.host
  await host.apply([...sshService({ ...budget, reserve }, 0).listeners({ 'ssh.enabled': true })])
  return { clock, budget, waits, touches: opened.touches, host, port: portOf(host, 'ssh') }
}

/** As many that were reserved by clients who have gone since. */
const fill = ({ budget, clock }: Awaited<ReturnType<typeof open>>): void => {
  while (!budget.isFull(SOURCE, clock.now())) budget.reserve(SOURCE, clock.now())
}

test('a client whose exchange must wait gets the offers at once, and the reply when it is its turn', async () => {
  const { clock, waits, port } = await open()
  const first = await openClient(port)
  const { hostKey } = await first.exchange()
  const second = await openClient(port)
  let isAnswered = false
  const exchanged = second.exchange().finally(() => (isAnswered = true))
  await expect.poll(() => waits).toEqual([0, 1_000])
  clock.advance(999)
  // Another one is served to its end meanwhile, from elsewhere.
  const other = await openClient(port, SOURCE, ELSEWHERE)
  await other.exchange()
  expect(isAnswered).toBe(false)
  clock.advance(1)
  expect(await exchanged).toMatchObject({ hostKey })
  for (const client of [first, second, other]) client.destroy()
})

test('where an exchange would wait for more than ten seconds, a newcomer is refused as by MaxStartups', async () => {
  const opened = await open()
  const { clock, touches, port } = opened
  const inside = await openClient(port)
  fill(opened)
  expect(await connectTo(port).closed).toEqual({ text: 'Exceeded MaxStartups\r\n', reset: false })
  expect(touches).toMatchObject([{ srcHost: SOURCE, logtype: '22003', fields: { COUNT: 1, REFUSED: 1 } }])
  const other = await openClient(port, SOURCE, ELSEWHERE)
  await other.exchange()

  // The one that was in before waits for its turn, and is not closed.
  const exchanged = inside.exchange()
  await expect.poll(() => opened.waits.at(-1)).toBe(11_000)
  clock.advance(11_000)
  await exchanged
  const next = await openClient(port)
  expect(next.ident).toMatch(/^SSH-2\.0-OpenSSH/)
  for (const client of [inside, other, next]) client.destroy()
})
