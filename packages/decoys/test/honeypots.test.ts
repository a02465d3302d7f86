// No line by which nmap recognises honeypots may match an answer of our decoys: whatever nmap asks, and whatever was recorded,
// of every product that a setting names. Lines and probes are read from the installed nmap.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { converse, machineSettings, meet } from './first-contact.ts'
import type { Probe } from './probe.ts'
import { replay } from './replay.ts'
import { allOn, machines } from './machines.ts'
import { deriveFrom } from './session-context.ts'
import { serviceFolders } from './service-folders.ts'
import { descriptors } from '../src/descriptors.gen.ts'
import { services } from '../src/services.gen.ts'
import { dialogues } from '../lab/telnet/telnetd/dialogues.ts'
import { telnetDefaults } from '../lab/telnet/defaults.ts'
import { replayDialogue } from '../lab/telnet/replay.ts'
import { loadSkin } from '../src/services/http/load-skin.ts'
import { transcripts } from '../lab/smb/windows/transcript.ts'
import type { Listener } from '../src/session/session.ts'

const FILE = '/usr/share/nmap/nmap-service-probes'
const HONEYPOTS =
  /honeypot|honeyd|kojoney|nepenthes|dionaea|cowrie|sshtroll|backofficer|valhalla|imaginary telnet/i

/** Parses `match <service> m|pattern|flags p/product/ …`; the patterns match latin1 text. */
const honeypotLines = (): readonly { line: string; pattern: RegExp }[] =>
  nmapLines()
    .filter((line) => /^(soft)?match /.test(line) && HONEYPOTS.test(line))
    .map((line) => {
      const [, delimiter = '|'] = /^\w+ \S+ m(.)/.exec(line)!
      const from = line.indexOf(`m${delimiter}`) + 2
      const to = line.indexOf(delimiter, from)
      const flags = /^[si]*/.exec(line.slice(to + 1))![0]
      // nmap writes NUL as `\0`, which before a digit would be an octal escape in JavaScript.
      return { line, pattern: new RegExp(line.slice(from, to).replace(/\\0/g, '\\x00'), flags) }
    })

const ESCAPES: Readonly<Record<string, string>> = { '0': '\0', a: '\x07', n: '\n', r: '\r', t: '\t' }

/** Parses `Probe TCP <name> q|bytes|`. */
const nmapProbes = (): readonly { transport: string; name: string; bytes: Buffer }[] =>
  nmapLines().flatMap((line) => {
    const [, transport = '', name = '', , text = ''] = /^Probe (TCP|UDP) (\S+) q(.)(.*)\3/.exec(line) ?? []
    const bytes = text.replace(/\\(?:x([\da-f]{2})|(.))/gi, (_, hex?: string, one = '') =>
      hex === undefined ? (ESCAPES[one] ?? one) : String.fromCharCode(parseInt(hex, 16)),
    )
    return name ? [{ transport: transport.toLowerCase(), name, bytes: Buffer.from(bytes, 'latin1') }] : []
  })

const nmapLines = (): readonly string[] => readFileSync(FILE, 'latin1').split('\n')

const listenersOf = ({ service, settings }: (typeof machines)[number]): readonly Listener[] =>
  services[service]!.listeners(settings)

const LAB = new URL('../lab/', import.meta.url)

/** The recorded probes, by the folder that they stand in. */
const corpora = globSync('*/*/corpus.ts', { cwd: LAB.pathname })

/** The service of a corpus as it is at first; of a web server's, the first skin that it has. */
function machineOf(corpus: string): (typeof machines)[number] {
  const [protocol = '', server] = corpus.split('/')
  const service = serviceFolders.find(({ folder }) => folder === protocol)?.service
  return machines.find(
    (one) =>
      one.service === service &&
      (service !== 'http' || loadSkin(String(one.settings['http.skin'])).server === server),
  )!
}

test.skipIf(!existsSync(FILE)).each(machines)(
  '$name: nmap’s own probes show no honeypot (skipped without nmap)',
  (machine) => {
    const lines = honeypotLines()
    expect(lines.length).toBeGreaterThan(10)
    for (const listener of listenersOf(machine)) {
      const probes = nmapProbes().filter(({ transport }) => transport === listener.transport)
      expect(probes.length).toBeGreaterThan(20)
      for (const { name, bytes } of probes) {
        const { text } = converse(listener, deriveFrom('bird-1'), bytes.length > 0 ? [bytes] : [])
        const found = lines.filter(({ pattern }) => pattern.test(text)).map(({ line }) => line)
        expect(found, `${listener.instance}: ${name}`).toEqual([])
      }
    }
  },
)

test.skipIf(!existsSync(FILE)).each(corpora)(
  'lab/%s: its probes show no honeypot (skipped without nmap)',
  async (corpus) => {
    const lines = honeypotLines()
    const { probes } = (await import(new URL(corpus, LAB).href)) as { probes: readonly Probe[] }
    const machine = machineOf(corpus)
    for (const each of machines.filter(({ service }) => service === machine.service))
      if (each === machine || machine.service !== 'http')
        for (const probe of probes) {
          const { text } = replay(probe, listenersOf(each)[0]!.startSession)
          const found = lines.filter(({ pattern }) => pattern.test(text)).map(({ line }) => line)
          expect(found, `${each.name}: ${probe.name}`).toEqual([])
        }
  },
)

test.skipIf(!existsSync(FILE))(
  'no usual client, Telnet dialogue or tool of SMB meets a honeypot (skipped without nmap)',
  async () => {
    const lines = honeypotLines()
    const { said } = await meet(machineSettings(allOn(descriptors)), 'bird-1')
    const answers = [
      ...Object.entries(said),
      ...dialogues.map(
        (dialogue) => [dialogue.name, replayDialogue(dialogue, telnetDefaults()).said.join('')] as const,
      ),
      ...transcripts().flatMap(([name, { conversations }]) =>
        conversations.flatMap(({ exchanges }) =>
          exchanges.map(({ server }) => [name, Buffer.from(server, 'base64').toString('latin1')] as const),
        ),
      ),
    ]
    for (const [name, text] of answers)
      expect(
        lines.filter(({ pattern }) => pattern.test(text)).map(({ line }) => line),
        name,
      ).toEqual([])
  },
)
