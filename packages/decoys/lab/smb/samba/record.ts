// Records what Debian's Samba answers to the corpus, as root, in this folder:
// `unshare --net sh -c 'ip link set lo up && exec node record.ts'`, behind it the names of files, if not all.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REAL_HOST } from '../../../test/real-server.ts'
import { realSamba } from '../../../test/real-samba.ts'
import { startRealServer } from '../../../test/real-servers.ts'
import { drawnScripts } from './drawn-scripts.ts'
import { converse } from './drive.ts'
import { play } from './drive-scene.ts'
import { mask } from './mask.ts'
import { privilegeScripts } from './privilege-acts.ts'
import type { Scene } from './scene.ts'
import { scenes, slowScenes } from './scenes.ts'

/** Which files to record, by their names; without any, all. */
const wanted = process.argv.slice(2)
const isWanted = (file: string): boolean => wanted.length === 0 || wanted.includes(file)
const write = (file: string, lines: readonly string[]): void => {
  writeFileSync(new URL(file, import.meta.url), lines.join('\n') + '\n')
  console.log(`${file}: ${lines.length} answers recorded`)
}

/** What is said twice first: who wakes first when several wait is at times a matter of chance. */
async function firstTwice(ask: () => Promise<string>): Promise<string | undefined> {
  const said = new Set<string>()
  for (let asked = 0; asked < 4; asked += 1) {
    const text = await ask()
    if (said.has(text)) return text
    said.add(text)
  }
  return undefined
}

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
    if (!isWanted(file)) continue
    const lines: string[] = []
    for (const script of scripts) {
      const { text, close } = await converse(place, script, 2)
      lines.push(JSON.stringify({ text: mask(text), close }))
    }
    write(file, lines)
  }
  if (isWanted('scenes.jsonl')) {
    const line = async ([name, scene]: readonly [string, Scene]): Promise<string> =>
      JSON.stringify({ name, text: mask((await play(place, scene, 2)).text) })
    const lines: string[] = []
    for (const each of Object.entries(scenes)) {
      const said = await firstTwice(() => line(each))
      if (said === undefined) console.log(`${each[0]}: the server contradicts itself`)
      else lines.push(said)
    }
    write('scenes.jsonl', [...lines, ...(await Promise.all(Object.entries(slowScenes).map(line)))])
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
