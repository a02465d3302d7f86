import fc from 'fast-check'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { expect, test } from 'vitest'
import { connectionTable } from './connection-table.ts'

const bound = limit('test_connection_table', 0)
const tableOf = (perPort: number, perHost = 100) =>
  connectionTable<string>({ perPort: withMax(bound, perPort), perHost: withMax(bound, perHost) })
const [ssh, ftp] = [{}, {}]

test('a full port gives up the oldest silent connection of the source that has most of them', () => {
  const table = tableOf(4)
  for (const name of ['b1', 'a1', 'a2', 'a3']) table.admit(name, ssh, name[0]!)
  expect(table.admit('c1', ssh, 'c')).toEqual({ isAdmitted: true, evicted: 'a1' })
  expect(table.admit('c2', ssh, 'c').evicted).toBe('a2')
  // Now every source has one or two: the two of c, who came last, are more than those of the others.
  expect(table.admit('d1', ssh, 'd').evicted).toBe('c1')
  expect(table.admit('e1', ssh, 'e').evicted).toBe('b1')
  expect(table.ofPort(ssh)).toEqual(['a3', 'c2', 'd1', 'e1'])
})

test('silent ones leave before those that drip, and those that drip before any that raised an event', () => {
  const table = tableOf(3)
  for (const name of ['a1', 'a2', 'a3']) table.admit(name, ssh, 'a')
  table.spoke('a1')
  table.spoke('a2')
  table.raised('a2')
  expect(table.admit('b1', ssh, 'b').evicted).toBe('a3')
  table.raised('b1')
  expect(table.admit('c1', ssh, 'c').evicted).toBe('a1')
  table.spoke('c1')
  table.raised('c1')
  // One of each source, all answered.
  expect(table.admit('d1', ssh, 'd')).toEqual({ isAdmitted: false })
  table.remove('b1')
  expect(table.admit('d1', ssh, 'd')).toEqual({ isAdmitted: true, evicted: undefined })
  expect([table.count(ssh, 'a'), table.count(ssh, 'b'), table.count(ftp, 'b')]).toEqual([1, 0, 0])
})

test('the only connection of a source, although silent, outlasts those of sources that drip on many', () => {
  const table = tableOf(5)
  table.admit('b1', ssh, 'b')
  for (const name of ['a1', 'a2', 'c1', 'c2']) {
    table.admit(name, ssh, name[0]!)
    table.spoke(name)
  }
  const evicted = ['d', 'e', 'f', 'g'].map((source) => table.admit(`${source}1`, ssh, source).evicted)
  expect(evicted).toEqual(['a1', 'c1', 'b1', 'd1'])
})

const answered = (at: number, isBlocked = false) => ({
  lastActivityAt: at,
  isDelayed: false,
  isBlocked,
  isQueued: false,
  isSharing: false,
})

test('of a source that was answered on half of all connections, the idlest without an answer outstanding leaves', () => {
  const table = tableOf(6)
  for (const [n, name] of ['a1', 'a2', 'a3', 'b1', 'c1', 'd1'].entries()) {
    table.admit(name, ssh, name[0]!)
    table.serves(name, answered(name === 'a3' ? 0 : n, name === 'a1'))
    table.raised(name)
  }
  expect(table.admit('a4', ssh, 'a')).toEqual({ isAdmitted: false })
  expect(table.admit('e1', ssh, 'e').evicted).toBe('a3')
  // Now a has two of six: the newcomer makes room for the next.
  expect(table.admit('f1', ssh, 'f').evicted).toBe('e1')
  table.raised('f1')
  expect(table.admit('g1', ssh, 'g')).toEqual({ isAdmitted: false })
})

test('the only connection of a source, although silent, outlasts those that were answered of one that has half of all', () => {
  const table = tableOf(4)
  for (const name of ['a1', 'a2', 'a3', 'b1']) table.admit(name, ssh, name[0]!)
  for (const name of ['a1', 'a2', 'a3']) table.raised(name)
  expect(table.admit('c1', ssh, 'c').evicted).toBe('a1')
  expect(table.admit('c2', ssh, 'c', 'c').evicted).toBe('a2')
})

test('a full host makes room by a source that has half of all its connections, at whatever port', () => {
  const table = tableOf(10, 6)
  for (const name of ['s1', 's2']) table.admit(name, ssh, 'a')
  table.admit('f1', ftp, 'a')
  for (const name of ['b', 'c', 'd']) table.admit(name, ftp, name)
  for (const name of ['s1', 's2', 'f1', 'b', 'c', 'd']) table.raised(name)
  table.serves('s1', answered(3))
  table.serves('s2', answered(2))
  table.serves('f1', answered(1))
  expect(table.admit('e', {}, 'e').evicted).toBe('f1')
})

test('for a source that is spared none of its own leaves, but those of others do', () => {
  const table = tableOf(3)
  for (const name of ['a1', 'a2', 'b1']) table.admit(name, ssh, name[0]!)
  expect(table.admit('a3', ssh, 'a', 'a')).toEqual({ isAdmitted: false })
  expect(table.admit('b2', ssh, 'b', 'b').evicted).toBe('a1')
})

test('room is announced when a connection leaves or falls silent, and not when one is pushed out', () => {
  let announced = 0
  const limits = { perPort: withMax(bound, 2), perHost: withMax(bound, 100) }
  const table = connectionTable<string>(limits, () => (announced += 1))
  for (const name of ['a1', 'a2', 'b1']) table.admit(name, ssh, name[0]!)
  table.remove('a1')
  expect(announced).toBe(0)
  table.fellSilent('a2')
  table.remove('b1')
  expect(announced).toBe(2)
})

test('a connection that says nothing for long is given up for another, until it speaks again', () => {
  const table = tableOf(2)
  for (const name of ['a1', 'b1']) {
    table.admit(name, ssh, name[0]!)
    table.spoke(name)
    table.fellSilent(name)
  }
  table.spoke('a1')
  table.fellSilent('gone')
  expect(table.admit('c1', ssh, 'c').evicted).toBe('b1')
})

test('a full host gives up a silent connection of the port that has most of them', () => {
  const table = tableOf(10, 3)
  for (const name of ['s1', 's2']) table.admit(name, ssh, name)
  table.admit('f1', ftp, 'f')
  expect(table.admit('f2', ftp, 'f').evicted).toBe('s1')
  expect(table.admit('f3', ftp, 'f').evicted).toBe('f1')
})

test('whatever comes and goes, no bound is passed, one who raised an event leaves only for another source that has less, and the counts are right', () => {
  const action = fc.record({
    what: fc.constantFrom('admit' as const, 'spoke' as const, 'raised' as const, 'remove' as const),
    port: fc.constantFrom(ssh, ftp),
    source: fc.constantFrom('a', 'b', 'c'),
    which: fc.nat(20),
  })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
      const table = tableOf(4, 6)
      const open = new Map<string, { source: string; port: object; hasRaised: boolean }>()
      actions.forEach(({ what, port, source, which }, number) => {
        const known = [...open.keys()][which % Math.max(1, open.size)]
        if (what === 'admit') {
          const { isAdmitted, evicted } = table.admit(`${number}`, port, source)
          const left = evicted === undefined ? undefined : open.get(evicted)
          if (left?.hasRaised) {
            const all = [...open.values()].filter((it) => open.size === 6 || it.port === left.port)
            const count = (of: string): number => all.filter((it) => it.source === of).length
            expect(count(left.source)).toBeGreaterThan(Math.max(1, count(source)))
          }
          if (evicted !== undefined) open.delete(evicted)
          if (isAdmitted) open.set(`${number}`, { source, port, hasRaised: false })
        } else if (known !== undefined && what === 'remove') {
          table.remove(known)
          open.delete(known)
        } else if (known !== undefined) {
          table[what as 'spoke' | 'raised'](known)
          if (what === 'raised') open.get(known)!.hasRaised = true
        }
      })
      const of = (port: object, source: string): number =>
        [...open.values()].filter((it) => it.port === port && it.source === source).length
      for (const port of [ssh, ftp]) {
        expect(table.ofPort(port).length).toBeLessThanOrEqual(4)
        for (const source of ['a', 'b', 'c']) expect(table.count(port, source)).toBe(of(port, source))
      }
      expect(open.size).toBeLessThanOrEqual(6)
    }),
  )
})
