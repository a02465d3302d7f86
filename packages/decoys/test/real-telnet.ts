// The servers that our decoys of Telnet claim to be.
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { descriptors } from '../src/descriptors.gen.ts'
import { storyOf } from '../src/machine/story.ts'
import { defaultSettings } from './default-settings.ts'
import { REAL_HOST, type RealServer } from './real-server.ts'
import { deriveFrom, SERVED_BIRD } from './session-context.ts'

/** By Debian's line of inetd.conf, on a machine of our decoy's name: tabs end where its length lets them. */
const telnetd = (folder: string) => {
  const file = join(folder, 'inetd.conf')
  // Not 256 a minute: the judge asks more often than any client.
  writeFileSync(file, `${REAL_HOST}:23 stream tcp nowait.60000 root /usr/sbin/tcpd /usr/sbin/telnetd\n`)
  const settings = defaultSettings(descriptors, { 'device.name': 'Bird', 'telnet.enabled': true })
  const { hostName } = storyOf(settings, deriveFrom(SERVED_BIRD))
  const start = `hostname ${hostName} && exec /usr/sbin/inetd -i ${file}`
  return { program: '/usr/bin/unshare', args: ['--uts', 'sh', '-c', start] }
}

/** On a machine of our router's name, with a user that nobody knows the password of. It lets root log in anywhere. */
const busybox = (folder: string) => {
  const passwd = join(folder, 'passwd')
  const [shadow, login] = [join(folder, 'shadow'), join(folder, 'login')]
  writeFileSync(passwd, 'root:$1$unknown0$......................:0:0:root:/:/bin/sh\n')
  writeFileSync(shadow, '')
  symlinkSync('/bin/busybox', login)
  const settings = defaultSettings(descriptors, { 'http.enabled': true, 'http.skin': 'router' })
  const { hostName } = storyOf(settings, deriveFrom(SERVED_BIRD))
  const start = [
    `hostname ${hostName}`,
    `mount --bind ${passwd} /etc/passwd`,
    `mount --bind ${shadow} /etc/shadow`,
    `exec /bin/busybox telnetd -F -f ${join(folder, 'issue')} -l ${login} -b ${REAL_HOST} -p 23`,
  ]
  return { program: '/usr/bin/unshare', args: ['--uts', '--mount', 'sh', '-c', start.join(' && ')] }
}

export const telnetServers: readonly RealServer[] = [
  {
    service: 'telnet',
    lab: 'telnet/telnetd',
    debian: 'inetutils-telnetd',
    program: '/usr/sbin/telnetd',
    superserver: { debian: 'openbsd-inetd', program: '/usr/sbin/inetd' },
    port: 23,
    prepare: telnetd,
  },
  {
    service: 'telnet',
    settings: ['http.enabled=true', 'http.skin=router'],
    lab: 'telnet/busybox',
    debian: 'busybox-static',
    program: '/bin/busybox',
    // The package `busybox` has the same program without telnetd.
    module: { debian: 'busybox-static', file: '/usr/share/doc/busybox-static/copyright' },
    port: 23,
    prepare: busybox,
  },
]
