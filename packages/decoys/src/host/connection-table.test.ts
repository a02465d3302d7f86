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

test('a connection that has spoken stays, and a port full of them takes no other', () => {
  const table = tableOf(2)
  table.admit('a1', ssh, 'a')
  table.admit('a2', ssh, 'a')
  table.spoke('a1')
  expect(table.admit('b1', ssh, 'b').evicted).toBe('a2')
  table.spoke('b1')
  expect(table.admit('c1', ssh, 'c')).toEqual({ isAdmitted: false })
  table.remove('a1')
  expect(table.admit('c1', ssh, 'c')).toEqual({ isAdmitted: true, evicted: undefined })
  expect([table.count(ssh, 'a'), table.count(ssh, 'b'), table.count(ftp, 'b')]).toEqual([0, 1, 0])
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

test('whatever comes and goes, no bound is passed, none who has spoken is evicted, and the counts are right', () => {
  const action = fc.record({
    what: fc.constantFrom('admit' as const, 'spoke' as const, 'remove' as const),
    port: fc.constantFrom(ssh, ftp),
    source: fc.constantFrom('a', 'b', 'c'),
    which: fc.nat(20),
  })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
      const table = tableOf(4, 6)
      const open = new Map<string, { source: string; port: object; hasSpoken: boolean }>()
      actions.forEach(({ what, port, source, which }, number) => {
        const known = [...open.keys()][which % Math.max(1, open.size)]
        if (what === 'admit') {
          const { isAdmitted, evicted } = table.admit(`${number}`, port, source)
          if (evicted !== undefined) expect(open.get(evicted)?.hasSpoken).toBe(false)
          if (evicted !== undefined) open.delete(evicted)
          if (isAdmitted) open.set(`${number}`, { source, port, hasSpoken: false })
        } else if (known !== undefined && what === 'spoke') {
          table.spoke(known)
          open.get(known)!.hasSpoken = true
        } else if (known !== undefined) {
          table.remove(known)
          open.delete(known)
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
