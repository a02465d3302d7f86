// Records what Debian's nmbd answers to the questions, once it is the master browser of its workgroup, as root, in this folder:
// `unshare --net --mount --uts node golden/record-names.ts`
import { execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { servedMachine } from '../../../../../../test/real-samba.ts'
import { nameQuestions } from './name-questions.ts'

/** In the answers; the recording's own namespace has it. */
export const RECORDED_AT = '10.77.9.2'
/** Elections take half a minute. */
const ELECTION_MS = 45_000

const { hostName, workgroup, netbiosName } = servedMachine()
const folder = mkdtempSync(join(tmpdir(), 'rookery-nmbd-'))
const place = (name: string): string => join(folder, name)
const sh = (line: string) => execFileSync('sh', ['-c', line])
sh('ip link set lo up; ip link add vA type veth peer name vB; ip link set vA up; ip link set vB up')
sh(`ip addr add ${RECORDED_AT}/24 brd + dev vA; hostname ${hostName}`)
const own = ['private dir', 'lock directory', 'state directory', 'cache directory', 'pid directory', 'ncalrpc dir']
for (const name of own) mkdirSync(place(name.split(' ')[0]!))
const conf = place('smb.conf')
const lines = own.map((name) => `${name} = ${place(name.split(' ')[0]!)}`)
sh(`sed 's/^ *log file =.*$//' /etc/samba/smb.conf > ${conf}`)
sh(
  `printf '%s\\n' '[global]' 'interfaces = ${RECORDED_AT}/24' 'bind interfaces only = yes' 'log file = ${place('log')}' ${lines.map((line) => `'${line}'`).join(' ')} >> ${conf}`,
)
const nmbd = spawn('nmbd', ['--foreground', '-s', conf], { stdio: 'ignore' })
try {
  await sleep(ELECTION_MS)
  const socket = createSocket('udp4')
  socket.bind(0, RECORDED_AT)
  await once(socket, 'listening')
  const answers = new Map<number, string>()
  socket.on('message', (bytes) => void answers.set(bytes.readUInt16BE(0), bytes.toString('hex', 2)))
  const questions = nameQuestions(netbiosName, workgroup)
  for (const { datagram } of questions) {
    socket.send(datagram, 137, RECORDED_AT)
    await sleep(5)
  }
  await sleep(1_000)
  socket.close()
  const recorded = questions.map(({ about }, number) => JSON.stringify([about, answers.get(number) ?? '']))
  writeFileSync(new URL('names.jsonl', import.meta.url), recorded.join('\n') + '\n')
  console.log(`${answers.size} of ${questions.length} questions answered`)
} finally {
  nmbd.kill()
  await once(nmbd, 'close')
  rmSync(folder, { recursive: true, force: true })
}
