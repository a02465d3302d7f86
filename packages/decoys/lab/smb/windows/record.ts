// Records the transcripts of this folder anew: `node record.ts`. It needs smbclient, smbmap, nmap and python3-impacket,
// and port 445 of 127.0.0.1, because nmap's scripts and smbmap ask no other: run it as root.
import { byWord } from '@rookery/kernel/by-word.ts'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fixedSession } from './transcript.ts'

const PORT = 445
const HOST = '127.0.0.1'
const share = (dialect: string): string =>
  `smbclient //${HOST}/Documents -p ${PORT} -U bob%secret -m ${dialect} --option="client min protocol=${dialect}" ` +
  `-c 'ls; cd Reports; ls; get notes.txt /dev/null; put /etc/hostname x.txt; del notes.txt; allinfo notes.txt; volume'`
const python = (code: string): string => `/usr/bin/python3 -c "${code}"`
const impacket = (act: string): string =>
  python(`from impacket.smbconnection import SMBConnection
c = SMBConnection('*SMBSERVER', '${HOST}', sess_port=${PORT})
c.login('bob', 'secret')
${act}`)

const COMMANDS = byWord<string>({
  'smbclient-shares-anonymous': `smbclient -L //${HOST} -p ${PORT} -N -U%`,
  'smbclient-shares-guest': `smbclient -L //${HOST} -p ${PORT} -U guest%`,
  'smbclient-shares-administrator': `smbclient -L //${HOST} -p ${PORT} -U Administrator%Summer2026`,
  'smbclient-2.0.2': share('SMB2_02'),
  'smbclient-2.1': share('SMB2_10'),
  'smbclient-3.0': share('SMB3_00'),
  'smbclient-3.0.2': share('SMB3_02'),
  'smbclient-3.1.1': share('SMB3_11'),
  'smbclient-nt1': `smbclient -L //${HOST} -p ${PORT} -U bob%x -m NT1 --option="client min protocol=NT1"`,
  'smbclient-upgrade': `smbclient -L //${HOST} -p ${PORT} -U bob%x --option="client min protocol=NT1"`,
  'smbclient-acl': `smbclient //${HOST}/Documents -p ${PORT} -U bob%x -c 'showacls; ls readme.txt; notify .' < /dev/null`,
  'rpcclient-users': `rpcclient -p ${PORT} ${HOST} -U% -N -c 'enumdomusers; lsaquery; lookupnames Administrator; lookupsids S-1-5-32-544; srvinfo; netshareenumall; getusername; enumprivs'`,
  'impacket-shares': impacket("c.listShares(); c.listPath('Documents', '*')"),
  'impacket-get': impacket("import io; c.getFile('Documents', 'Reports/notes.txt', io.BytesIO().write)"),
  smbmap: `smbmap -H ${HOST} -u bob -p secret -R Documents --depth 2`,
  'nmap-scripts': `nmap -Pn -n -sV -p ${PORT} --script smb-protocols,smb2-security-mode,smb2-time,smb2-capabilities ${HOST}`,
})

for (const [name, command] of Object.entries(COMMANDS)) {
  const sessions: ReturnType<typeof fixedSession>[] = []
  const server = createServer((socket) => {
    const session = fixedSession(sessions.length)
    sessions.push(session)
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      socket.write(session.receive(bytes))
      if (session.isClosed()) socket.resetAndDestroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(PORT, HOST, resolve))
  const tool = spawn('timeout', ['60', 'sh', '-c', command], { stdio: ['ignore', 'inherit', 'inherit'] })
  await new Promise((resolve) => tool.once('close', resolve))
  await new Promise((resolve) => server.close(resolve))
  const transcript = { command, conversations: sessions.map((session) => session.conversation()) }
  writeFileSync(new URL(`./${name}.json`, import.meta.url), `${JSON.stringify(transcript, null, 1)}\n`)
}
