import { limit, withMax } from '@rookery/kernel/limit.ts'
import { expect, test } from 'vitest'
import { waitingLine } from './waiting-line.ts'

const bound = limit('test_waiting_line', 0)
const [ssh, ftp] = [{}, {}]

/** A line for three a port; `entered` and `turnedAway` name whom it let in and whom it sent off. */
function lineOf(perPort = 3) {
  const line = waitingLine<string>({ perPort: withMax(bound, perPort), perHost: withMax(bound, 100) })
  const entered: string[] = []
  const turnedAway: string[] = []
  const isFull = new Set<string>()
  /** The first letter of a name is its source. */
  const join = (port: object, ...names: string[]): void => {
    for (const name of names)
      line.join(name, port, name[0]!, {
        enter: () => !isFull.has(name[0]!) && entered.push(name) > 0,
        turnAway: () => turnedAway.push(name),
      })
  }
  return { ...line, join, entered, turnedAway, isFull }
}

test('who has waited longest goes in first, one for each room', () => {
  const { join, admitNext, entered } = lineOf()
  join(ssh, 'a1', 'b1', 'a2')
  for (let rooms = 0; rooms < 4; rooms += 1) admitNext(ssh)
  expect(entered).toEqual(['a1', 'b1', 'a2'])
})

test('one who cannot go in yet does not hold up those of other sources behind it', () => {
  const { join, admitNext, entered, isFull } = lineOf()
  join(ssh, 'a1', 'a2', 'b1')
  isFull.add('a')
  admitNext(ssh)
  expect(entered).toEqual(['b1'])
  isFull.clear()
  admitNext(ssh)
  expect(entered).toEqual(['b1', 'a1'])
})

test('where nobody waits for the port, one who waits for another port goes in', () => {
  const { join, admitNext, entered } = lineOf()
  join(ssh, 'a1', 'b1')
  admitNext(ftp)
  expect(entered).toEqual(['a1'])
})

test('a full line turns away the oldest of the source that has most in it, and who left waits no more', () => {
  const { join, admitNext, remove, ofPort, entered, turnedAway } = lineOf()
  join(ssh, 'a1', 'b1', 'b2', 'c1')
  expect(turnedAway).toEqual(['b1'])
  remove('a1')
  expect(ofPort(ssh)).toEqual(['b2', 'c1'])
  admitNext(ssh)
  expect(entered).toEqual(['b2'])
})
