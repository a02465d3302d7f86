// No line by which nmap recognises honeypots may match an answer of our decoys. The lines are read from the installed nmap.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readAnswers } from '../test/probe.ts'
import { replay } from '../test/replay.ts'
import type { Probe } from '../test/probe.ts'
import type { SessionRunner } from './session.ts'
import { probes as sqlServerProbes } from './services/dbsrv_a/golden/corpus.ts'
import { openServer as openSqlServer } from './services/dbsrv_a/service.ts'
import { VERSIONS } from './services/dbsrv_a/versions.ts'
import { probes as databaseProbes } from './services/dbsrv_b/golden/corpus.ts'
import { openServer } from './services/dbsrv_b/service.ts'
import { probes as ftpProbes } from './services/ftp/golden/corpus.ts'
import { ftpSession } from './services/ftp/session.ts'
import { probes as apacheProbes } from './services/http/servers/apache/golden/corpus.ts'
import { probes as lighttpdProbes } from './services/http/servers/lighttpd/golden/corpus.ts'
import { probes as nginxProbes } from './services/http/servers/nginx/golden/corpus.ts'
import { httpSession } from './services/http/session.ts'
import { loadSkin } from './services/http/skin.ts'
import { probes as redisProbes } from './services/redis/golden/corpus.ts'
import { redisSession } from './services/redis/session.ts'
import { transcripts } from './services/smb/testing/transcript.ts'
import { dialogues } from './services/telnet/golden/dialogues.ts'
import { telnetDefaults } from './services/telnet/testing/defaults.ts'
import { replayDialogue } from './services/telnet/testing/replay.ts'
import { probes as vncProbes } from './services/vnc/golden/corpus.ts'
import { vncSession } from './services/vnc/session.ts'

const FILE = '/usr/share/nmap/nmap-service-probes'
const HONEYPOTS =
  /honeypot|honeyd|kojoney|nepenthes|dionaea|cowrie|sshtroll|backofficer|valhalla|imaginary telnet/i

type AskedService = readonly [name: string, probes: readonly Probe[], service: () => SessionRunner]

const services: readonly AskedService[] = [
  ['dbsrv_a', sqlServerProbes, () => openSqlServer(VERSIONS[0]!, {})],
  ['dbsrv_b', databaseProbes, () => openServer().startSession],
  ['ftp', ftpProbes, () => ftpSession('(vsFTPd 3.0.3)')],
  [
    'http/servers/apache',
    apacheProbes,
    () => httpSession({ banner: '', skin: loadSkin('nas'), headers: {} }),
  ],
  [
    'http/servers/lighttpd',
    lighttpdProbes,
    () => httpSession({ banner: '', skin: loadSkin('router'), headers: {} }),
  ],
  [
    'http/servers/nginx',
    nginxProbes,
    () => httpSession({ banner: '', skin: loadSkin('portal'), headers: {} }),
  ],
  ['redis', redisProbes, redisSession],
  ['vnc', vncProbes, () => vncSession('debian')],
]

/** No real server was there to record; they are asked what MariaDB was. */
const mysqlReleases = ['mysql-5.7', 'mysql-8.0'].map((version): AskedService => [
  `dbsrv_b ${version}`,
  databaseProbes,
  () => openServer({ 'dbsrv_b.version': version }).startSession,
])

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('latin1')

/** Parses `match <service> m|pattern|flags p/product/ …`; the patterns match latin1 text. */
function honeypotLines(): { line: string; pattern: RegExp }[] {
  return readFileSync(FILE, 'latin1')
    .split('\n')
    .filter((line) => /^(soft)?match /.test(line) && HONEYPOTS.test(line))
    .map((line) => {
      const [, delimiter = '|'] = /^\w+ \S+ m(.)/.exec(line)!
      const from = line.indexOf(`m${delimiter}`) + 2
      const to = line.indexOf(delimiter, from)
      const flags = /^[si]*/.exec(line.slice(to + 1))![0]
      // nmap writes NUL as `\0`, which before a digit would be an octal escape in JavaScript.
      return { line, pattern: new RegExp(line.slice(from, to).replace(/\\0/g, '\\x00'), flags) }
    })
}

test.skipIf(!existsSync(FILE))(
  'no honeypot line of nmap matches an answer of our decoys (skipped without nmap)',
  () => {
    const lines = honeypotLines()
    expect(lines.length).toBeGreaterThan(10)
    for (const [name, probes, service] of [...services, ...mysqlReleases]) {
      for (const probe of probes) {
        const { text } = replay(probe, service())
        const found = lines.filter(({ pattern }) => pattern.test(text)).map(({ line }) => line)
        expect(found, `${name}: ${probe.name}`).toEqual([])
      }
    }
    for (const dialogue of dialogues) {
      const { said } = replayDialogue(dialogue, telnetDefaults())
      const found = lines.filter(({ pattern }) => pattern.test(said.join(''))).map(({ line }) => line)
      expect(found, `telnet: ${dialogue.name}`).toEqual([])
    }
    for (const [name, { conversations }] of transcripts()) {
      const text = conversations
        .flatMap(({ exchanges }) => exchanges.map(({ server }) => server))
        .map(fromBase64)
      expect(
        lines.filter(({ pattern }) => text.some((answer) => pattern.test(answer))),
        name,
      ).toEqual([])
    }
  },
)

test('every recorded corpus has at least 300 probes', () => {
  const folder = new URL('./services/', import.meta.url)
  const recorded = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('golden/answers.json'))
    .map((path) => path.replace(/golden\/answers\.json$/, ''))
  expect(recorded.sort()).toEqual([...services.map(([name]) => `${name}/`), 'telnet/'].sort())
  for (const path of recorded)
    expect(Object.keys(readAnswers(new URL(`${path}golden/`, folder))).length, path).toBeGreaterThanOrEqual(
      300,
    )
})
