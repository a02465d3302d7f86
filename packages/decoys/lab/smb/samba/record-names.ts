// Records what Debian's nmbd answers to the questions, once it is the master browser of its workgroup, as root, in this folder:
// `unshare --net node record-names.ts`
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLIENT_HOST, NMBD_HOST, startNmbd } from '../../../test/real-nmbd.ts'
import { servedMachine } from '../../../test/real-samba.ts'
import { nameQuestions } from './name-questions.ts'

const folder = mkdtempSync(join(tmpdir(), 'rookery-nmbd-'))
const nmbd = await startNmbd(folder)
try {
  const socket = createSocket('udp4')
  socket.bind(0, CLIENT_HOST)
  await once(socket, 'listening')
  const answers = new Map<number, string>()
  socket.on('message', (bytes) => answers.set(bytes.readUInt16BE(0), bytes.toString('hex', 2)))
  const { netbiosName, workgroup } = servedMachine()
  const questions = nameQuestions(netbiosName, workgroup)
  for (const { datagram } of questions) {
    socket.send(datagram, 137, NMBD_HOST)
    await sleep(5)
  }
  await sleep(1_000)
  socket.close()
  const recorded = questions.map(({ about }, number) => JSON.stringify([about, answers.get(number) ?? '']))
  writeFileSync(new URL('names.jsonl', import.meta.url), recorded.join('\n') + '\n')
  console.log(`${answers.size} of ${questions.length} questions answered`)
} finally {
  await nmbd.stop()
  rmSync(folder, { recursive: true, force: true })
}
