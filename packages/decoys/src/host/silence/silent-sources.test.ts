// The reports of silent connections as transcripts: time in s, first address, services, count, refused.
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { expect, test } from 'vitest'
import { silentSources, type SilentReport } from './silent-sources.ts'

const bound = limit('test_silent_sources', 0)
const describe = (second: number, reports: readonly SilentReport[]): string[] =>
  reports.map(
    ({ connection, services, count, refused }) =>
      `${second} ${connection.src.host} ${services.join('+')} ${count} ${refused}`,
  )

type Connection = readonly [second: number, source: string, instance: string, isRefused?: boolean]

/** Adds each connection at its time; asks `due` in between whenever a report is due. */
function run(connections: readonly Connection[], until: number, max = 100): string[] {
  const sources = silentSources(withMax(bound, max))
  const lines: string[] = []
  const ask = (second: number): void => {
    for (let at = sources.nextAt(); at !== undefined && at <= second * 1_000; at = sources.nextAt())
      lines.push(...describe(at / 1_000, sources.due(at)))
  }
  for (const [second, source, instance, isRefused = false] of connections) {
    ask(second)
    const connection = {
      instance,
      src: { host: source, port: 1 },
      dst: { host: 'bird', port: 22 },
      isRefused,
    }
    lines.push(...describe(second, sources.add(source, connection, second * 1_000)))
  }
  ask(until)
  lines.push(...describe(until, sources.flush()))
  return lines
}

test('the first one is reported at once, the others of its source a minute later, together', () => {
  expect(
    run(
      [
        [0, 'a', 'ssh'],
        [1, 'a', 'ssh'],
        [2, 'b', 'ftp', true],
        [3, 'a', 'redis', true],
        [61, 'a', 'http'],
      ],
      600,
    ),
  ).toEqual(['0 a ssh 1 0', '2 b ftp 1 1', '60 a ssh+redis 2 1', '120 a http 1 0'])
})

test('a source that was quiet for a minute is reported at once again', () => {
  expect(
    run(
      [
        [0, 'a', 'ssh'],
        [61, 'a', 'ssh'],
      ],
      62,
    ),
  ).toEqual(['0 a ssh 1 0', '61 a ssh 1 0'])
})

test('what is counted when the host is closed is reported, and so is a source that has to leave for another', () => {
  expect(
    run(
      [
        [0, 'a', 'ssh'],
        [1, 'a', 'ssh'],
        [2, 'b', 'ssh'],
        [3, 'c', 'ssh'],
        [4, 'c', 'ssh'],
      ],
      5,
      2,
    ),
  ).toEqual(['0 a ssh 1 0', '2 b ssh 1 0', '3 a ssh 1 0', '3 c ssh 1 0', '5 c ssh 1 0'])
})
