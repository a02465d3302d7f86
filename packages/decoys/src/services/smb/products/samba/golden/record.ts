// Records what Debian's Samba answers to the corpus, as root, in this folder:
// `unshare --net sh -c 'ip link set lo up && exec node golden/record.ts'`
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REAL_HOST } from '../../../../../../test/real-server.ts'
import { realSamba } from '../../../../../../test/real-samba.ts'
import { startRealServer } from '../../../../../../test/real-servers.ts'
import { drawnScripts } from './drawn-scripts.ts'
import { converse } from './drive.ts'
import { mask } from './mask.ts'
import { privilegeScripts } from './privilege-acts.ts'

const folder = mkdtempSync(join(tmpdir(), 'rookery-samba-'))
const server = await startRealServer(realSamba, folder)
try {
  const place = { host: REAL_HOST, port: realSamba.port }
  const corpus = drawnScripts()
  // The programs behind the pipes start when they are asked for.
  for (const script of corpus.slice(-40)) await converse(place, script, 3)
  for (const [file, scripts] of [
    ['answers.jsonl', corpus],
    ['privileges.jsonl', privilegeScripts],
  ] as const) {
    const lines: string[] = []
    for (const script of scripts) {
      const { text, close } = await converse(place, script, 2)
      lines.push(JSON.stringify({ text: mask(text), close }))
    }
    writeFileSync(new URL(file, import.meta.url), lines.join('\n') + '\n')
    console.log(`${file}: ${lines.length} answers recorded`)
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
