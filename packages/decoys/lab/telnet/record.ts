// Records what the real telnetd or BusyBox says in the dialogues: `node lab/telnet/record.ts telnetd`. Needs its real port: a
// network namespace of its own. Writes answers.json.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTurns } from '../../test/in-turns.ts'
import { REAL_HOST } from '../../test/real-server.ts'
import { realServers, startRealServer } from '../../test/real-servers.ts'
import { converse } from './converse.ts'
import type { Dialogue, Transcript } from './dialogue.ts'
import { dialogues as ofBusybox } from './busybox/grammar.ts'
import { dialogues as ofTelnetd } from './telnetd/dialogues.ts'

const CONCURRENCY = 5
const product = process.argv[2] === 'busybox' ? 'busybox' : 'telnetd'
const dialogues: readonly Dialogue[] = { busybox: ofBusybox, telnetd: ofTelnetd }[product]

const folder = mkdtempSync(join(tmpdir(), 'rookery-record-'))
const server = realServers.find(({ lab }) => lab === `telnet/${product}`)!
const running = await startRealServer(server, folder)
const recorded = await inTurns(dialogues, CONCURRENCY, async (dialogue) => {
  const { said, closed } = await converse({ host: REAL_HOST, port: server.port }, dialogue)
  return [dialogue.name, { said, closed }] as const
})
await running.stop()
rmSync(folder, { recursive: true, force: true })
const inOrder: Readonly<Record<string, Transcript>> = Object.fromEntries(recorded)
writeFileSync(new URL(`./${product}/answers.json`, import.meta.url), JSON.stringify(inOrder, null, 1) + '\n')
console.log(`${dialogues.length} dialogues recorded`)
