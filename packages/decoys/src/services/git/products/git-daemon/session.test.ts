import fc from 'fast-check'
import { expect, test } from 'vitest'
import { probes } from '../../../../../lab/git/git-daemon/corpus.ts'
import { mask } from '../../../../../lab/git/git-daemon/mask.ts'
import { request } from '../../../../../lab/git/client.ts'
import { readAnswers } from '../../../../../test/probe.ts'
import { differences, replay } from '../../../../../test/replay.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { crowd } from './profile.ts'
import { gitSession } from './session.ts'

const ask = (...send: string[]) => {
  const session = gitSession(testContext())
  session.open()
  return send.flatMap((text) => session.receive(Buffer.from(text, 'latin1')))
}

test('each probe is answered as git daemon 2.39.5 answers it', () => {
  const lab = new URL('../../../../../lab/git/git-daemon/', import.meta.url)
  expect(probes.length).toBeGreaterThanOrEqual(300)
  expect(differences(probes, readAnswers(lab), () => gitSession, mask)).toEqual([])
})

test('a clone raises its event with host and path, before it is refused', () => {
  expect(ask(request('upload-pack', '/secret.git', 'git.corp:9418', ['version=2']))).toMatchObject([
    {
      events: [{ logtype: '19001', fields: { HOST: 'git.corp:9418', REPO: '/secret.git' } }],
      send: Buffer.from('003dERR access denied or repository not exported: /secret.git'),
      close: 'close',
    },
  ])
})

test('a push and an archive are asked for like a clone, with a host or without, in any fragments', () => {
  for (const command of ['receive-pack', 'upload-archive']) {
    const [reply] = ask(...request(command, '/a'))
    expect(reply?.events?.[0]?.fields).toEqual({ HOST: '', REPO: '/a' })
  }
})

test.each([
  '0000',
  '0001',
  '0003',
  '0004',
  'ffff',
  'fff4',
  'GET / HTTP/1.0\r\n\r\n',
  '\0\0\0\0',
  '0009git-x',
])('what is no request is closed without a byte and without an event: %j', (text) => {
  const [reply, ...more] = ask(text)
  expect([reply?.send, reply?.events, more]).toEqual([undefined, undefined, []])
  expect(reply?.close).toBe(text.length > 4 && text !== '0009git-x' ? 'reset' : 'close')
})

test('input that is not read makes the close a reset', () => {
  expect(ask(`${request('upload-pack', '/a', 'b')}0000`)[0]?.close).toBe('reset')
})

test('a packet waits for its end, and never for more than a packet has', () => {
  const [longest] = ask('fff3' + 'a'.repeat(65_518))
  expect(longest).toBeUndefined()
  expect(ask('fff3', 'a'.repeat(65_519))[0]?.close).toBe('close')
})

test('the 33rd client of a source is turned away', () => {
  const newcomer = { address: '', source: '', now: 0, random: Buffer.alloc }
  expect(crowd.refusal({ ...newcomer, open: 31 })).toBeUndefined()
  expect(crowd.refusal({ ...newcomer, open: 32 })).toBe('')
})

test('no garbage makes the session throw', () => {
  const piece = fc.oneof(
    fc.constantFrom('0000', '0003', 'ffff', 'git-upload-pack ', '\0', 'host=['),
    fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)) }),
  )
  fc.assert(fc.property(fc.array(piece), (send) => void replay({ name: '', send }, gitSession)))
})
