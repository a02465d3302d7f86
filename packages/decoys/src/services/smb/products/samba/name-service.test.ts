// What nmbd was recorded to answer, and what cannot be recorded.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveFrom, SERVED_BIRD, testContext } from '../../../../../test/session-context.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import { nameQuestions } from '../../../../../lab/smb/samba/name-questions.ts'
import { served } from '../../../../../lab/smb/samba/replay.ts'
import { sambaConfig } from './config.ts'
import { nmbd } from './name-service.ts'

const config = sambaConfig(served())
const derive = deriveFrom(SERVED_BIRD)
const { netbiosName, workgroup } = config.machine(derive)

/** What one datagram is answered, at the address where nmbd was recorded. */
function ask(datagram: Buffer, host = '10.77.9.2'): string {
  const session = sessionRunner(nmbd(config.machine))(testContext({ derive, dst: { host, port: 137 } }))
  session.open()
  return session
    .receive(datagram)
    .map(({ send = '' }) => Buffer.from(send).toString('hex'))
    .join('')
}

const recorded = readFileSync(new URL('../../../../../lab/smb/samba/names.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as [about: string, answer: string])

test('each question about names is answered as by the recorded nmbd', () => {
  const answers = nameQuestions(netbiosName, workgroup).map(({ about, datagram }) => [
    about,
    ask(datagram).slice(4),
  ])
  expect(answers).toEqual(recorded)
})

test('an answer has the transaction id of its question', () => {
  const { datagram } = nameQuestions(netbiosName, workgroup)[2]!
  datagram.writeUInt16BE(0xbeef, 0)
  expect(ask(datagram)).toMatch(/^beef/)
})

test('no datagram makes it throw, and over IPv6 it is silent', () => {
  const questions = nameQuestions(netbiosName, workgroup).map(({ datagram }) => datagram)
  for (const datagram of questions) expect(ask(datagram, 'fd00::1')).toBe('')
  fc.assert(
    fc.property(fc.constantFrom(...questions), fc.nat(60), fc.nat(255), (datagram, at, byte) => {
      const changed = Buffer.from(datagram)
      if (at < changed.length) changed[at] = byte
      expect(ask(changed).length).toBeLessThanOrEqual(2 * 229)
    }),
  )
})
