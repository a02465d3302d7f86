import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDecoy } from '../decoy.ts'
import { runProbe } from './probe.ts'
import { probes } from './probes.ts'

const golden = new Map(
  readFileSync(new URL('openssh-9.2p1.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as [name: string, answers: string[]]),
)

let decoy: Awaited<ReturnType<typeof openDecoy>>
beforeAll(async () => void (decoy = await openDecoy()))
afterAll(() => decoy.host.close())

test('the corpus has at least 300 probes, each recorded once from a real sshd', () => {
  expect(probes.length).toBeGreaterThanOrEqual(300)
  expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length)
  expect([...golden.keys()]).toEqual(probes.map(({ name }) => name))
})

test('every probe is answered as OpenSSH 9.2p1 of Debian 12 answered it, and none throws', async () => {
  const answers: [string, string[]][] = []
  for (let at = 0; at < probes.length; at += 16) {
    const batch = probes.slice(at, at + 16)
    answers.push(
      ...(await Promise.all(
        batch.map(async (probe): Promise<[string, string[]]> => [
          probe.name,
          await runProbe(probe, decoy.port),
        ]),
      )),
    )
  }
  expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(golden))
  expect(decoy.host.stats.lastError).toBeUndefined()
})
