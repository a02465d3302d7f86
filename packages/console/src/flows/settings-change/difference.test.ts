import fc from 'fast-check'
import { expect, it } from 'vitest'
import { difference } from './difference.ts'
import type { Snapshot } from './snapshots.ts'

it('tells old and new of what differs, and nothing of the rest', () => {
  const before: Snapshot = { name: 'nas-02', note: '', limit: 5, mode: 'global', gone: 'x' }
  const after: Snapshot = { name: 'nas-02', note: 'Rack 4', limit: 7, mode: 'on', fresh: 'y' }
  expect(difference(before, after)).toEqual([
    'note nothing → "Rack 4"',
    'limit 5 → 7',
    'mode global → on',
    'gone x → nothing',
    'fresh nothing → y',
  ])
})

it('compares lists entry by entry', () => {
  const lines = (ips: readonly string[]): Snapshot => ({ ips })
  expect(difference(lines(['192.0.2.1', '192.0.2.2']), lines(['192.0.2.2', '192.0.2.3 # new']))).toEqual([
    'ips − 192.0.2.1, + "192.0.2.3 # new"',
  ])
  expect(difference(lines(['a', 'b']), lines(['b', 'a']))).toEqual(['ips in another order'])
  expect(difference({}, lines(['a']))).toEqual(['ips + a'])
  const many = Array.from({ length: 100_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
  expect(difference(lines(many), {})[0]).toMatch(/^ips (− 10\.0\.0\.\d+, ){20}− 99980 more$/)
})

it('says of secrets only that they changed', () => {
  const of = (value: string): Snapshot => ({
    'tcpbanner_1.keep_alive_secret': value,
    admin_password: value,
    token: value,
    sealed: `v1:0011:${value}`,
  })
  const changes = difference(of('hunter2'), of('hunter3'))
  expect(changes).toEqual([
    'tcpbanner_1.keep_alive_secret changed',
    'admin_password changed',
    'token changed',
    'sealed changed',
  ])
  const isSecret = (name: string): boolean => name === 'vnc.answer'
  expect(difference({ 'vnc.answer': 'a' }, { 'vnc.answer': 'b' }, isSecret)).toEqual(['vnc.answer changed'])
})

it('is empty of what is the same', () => {
  const snapshot = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.string())))
  fc.assert(fc.property(snapshot, (it) => void expect(difference(it, structuredClone(it))).toEqual([])))
})
