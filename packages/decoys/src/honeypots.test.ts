// No line by which nmap tells honeypots may match what our decoys answer. The lines are read from nmap, never kept here.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readAnswers } from '../test/probe.ts'
import { replay } from '../test/replay.ts'
import type { Probe } from '../test/probe.ts'
import type { SessionRunner } from './session.ts'
import { probes as ftpProbes } from './services/ftp/golden/corpus.ts'
import { ftpSession } from './services/ftp/session.ts'
import { probes as httpProbes } from './services/http/golden/corpus.ts'
import { httpSession } from './services/http/session.ts'
import { loadSkin } from './services/http/skin.ts'
import { probes as redisProbes } from './services/redis/golden/corpus.ts'
import { redisSession } from './services/redis/session.ts'

const FILE = '/usr/share/nmap/nmap-service-probes'
const NAMES =
  /honeypot|honeyd|kojoney|nepenthes|dionaea|cowrie|sshtroll|backofficer|valhalla|imaginary telnet/i

const transcripts: readonly [string, readonly Probe[], () => SessionRunner][] = [
  ['ftp', ftpProbes, () => ftpSession('(vsFTPd 3.0.3)')],
  [
    'http',
    httpProbes,
    () => httpSession({ banner: 'Apache/2.4.71 (Debian)', skin: loadSkin('nas'), headers: {} }),
  ],
  ['redis', redisProbes, redisSession],
]

/** `match <service> m|pattern|flags p/product/ …` as expressions over latin1 text. */
function honeypotLines(): { line: string; pattern: RegExp }[] {
  return readFileSync(FILE, 'latin1')
    .split('\n')
    .filter((line) => /^(soft)?match /.test(line) && NAMES.test(line))
    .map((line) => {
      const [, mark = '|'] = /^\w+ \S+ m(.)/.exec(line)!
      const from = line.indexOf(`m${mark}`) + 2
      const to = line.indexOf(mark, from)
      const flags = /^[si]*/.exec(line.slice(to + 1))![0]
      // A NUL is `\0` there; before a digit it would be an octal escape here.
      return { line, pattern: new RegExp(line.slice(from, to).replace(/\\0/g, '\\x00'), flags) }
    })
}

test.skipIf(!existsSync(FILE))(
  'no honeypot line of nmap matches an answer of ours (skipped without nmap)',
  () => {
    const lines = honeypotLines()
    expect(lines.length).toBeGreaterThan(10)
    for (const [name, probes, make] of transcripts) {
      for (const probe of probes) {
        const { text } = replay(probe, make())
        const found = lines.filter(({ pattern }) => pattern.test(text)).map(({ line }) => line)
        expect(found, `${name}: ${probe.name}`).toEqual([])
      }
    }
  },
)

test('every recorded corpus has 300 probes or more', () => {
  const folder = new URL('./services/', import.meta.url)
  const recorded = readdirSync(folder).filter((name) =>
    existsSync(new URL(`${name}/golden/answers.json`, folder)),
  )
  expect(recorded).toEqual(expect.arrayContaining(['ftp', 'http', 'redis']))
  for (const name of ['ftp', 'http', 'redis']) {
    expect(Object.keys(readAnswers(new URL(`${name}/golden/`, folder))).length).toBeGreaterThanOrEqual(300)
  }
})
