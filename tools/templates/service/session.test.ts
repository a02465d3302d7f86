import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replay } from '@rookery/decoys/test/replay.ts'
import { descriptor } from './descriptor.ts'
import { someNameSession } from './session.ts'

test('the descriptor says how to touch it, where it listens and what its events are', () => {
  expect(descriptor.example, 'descriptor.ts: example, a command with {host} and {port}').toContain('{port}')
  expect(descriptor.scanLine, 'descriptor.ts: scanLine, as nmap prints it').toContain('{port}/')
  expect(descriptor.settings['some-name.port'].default, 'descriptor.ts: its usual port').not.toBe(0)
  expect(
    descriptor.logtypes,
    'descriptor.ts: logtypes of the specification, with keys, level, evidence, meaning and next steps',
  ).not.toEqual([])
})

test('what an intruder sends raises an event', () => {
  expect.unreachable('session.ts, step: the event; claim here which bytes raise which event')
})

test('probes are answered as the real server answers them', () => {
  expect.unreachable(
    'test/record.ts keeps what the real server answers to lab/some-name/some-product/corpus.ts; compare here as ftp does',
  )
})

test('no garbage makes the session throw', () => {
  const piece = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)) })
  fc.assert(fc.property(fc.array(piece), (send) => void replay({ name: '', send }, someNameSession)))
})

test('its page names the product and the sources', () => {
  expect.unreachable(
    'README.md: product and version, what it answers, what it does not, where the facts come from',
  )
})
