// Each setting has an effect that a test shows, or says why it has none.
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { replay } from './replay.ts'
import { testContext } from './session-context.ts'
import { openTestHost, portOf } from './test-host.ts'
import { descriptors } from '../src/descriptors.gen.ts'
import type { BirdSettings, Listener } from '../src/session/session.ts'
import { instancesOf, portKeysOf, switchesOf } from '../src/settings/instances.ts'
import { services } from '../src/services.gen.ts'
import { options, packet, TYPE, VERSION_OPTION } from '../lab/mssql/client.ts'
import { openClient } from '../lab/ssh/client.ts'
import * as requests from '../lab/ssh/requests.ts'
import { defaultSettings } from './default-settings.ts'
import { checkSettings, settingDescriptors } from '../src/settings/settings.ts'

/** The listeners under these settings; every service that they name is on. */
function listeners(changes: BirdSettings): Listener[] {
  const on = Object.fromEntries(Object.keys(changes).map((key) => [`${key.split('.')[0]}.enabled`, true]))
  const settings = defaultSettings(descriptors, { 'device.name': 'nas', ...on, ...changes })
  expect(checkSettings(descriptors, settings)).toEqual({})
  return Object.values(services).flatMap((service) => service.listeners(settings))
}

/** What an intruder is answered who sends this; nothing when the service speaks first. */
const answer = (changes: BirdSettings, ...send: string[]): string =>
  listeners(changes)
    .map(({ startSession }) => replay({ name: '', send }, startSession).text)
    .join()

const GET = 'GET / HTTP/1.1\r\nHost: nas.lan\r\n\r\n'

function skinOf(changes: BirdSettings): unknown {
  const session = listeners(changes)[0]?.startSession(testContext())
  session?.open()
  return session?.receive(Buffer.from(GET)).flatMap(({ events = [] }) => events)[0]?.fields['SKIN']
}

/** What an SSH client is sent before it logs in. */
async function sshBanner(changes: BirdSettings): Promise<string | undefined> {
  const { host } = openTestHost()
  onTestFinished(() => host.close())
  await host.apply(listeners(changes))
  const client = await openClient(portOf(host, 'ssh'))
  await client.exchange()
  client.send(requests.serviceRequest('ssh-userauth'))
  client.send(requests.none('root'))
  client.end()
  return (await client.rest()).find((line) => line.startsWith('auth-banner'))
}

/** The services that open a port or notice those of the machine. */
function instances(changes: BirdSettings): string[] {
  const sensors = Object.values(services).flatMap((service) => service.sensors?.(changes) ?? [])
  return [...listeners(changes), ...sensors].map(({ instance }) => instance)
}

const ports = (changes: BirdSettings): number[] => listeners(changes).map(({ port }) => port)

/** By key: what is seen under one value, and under another. */
const EFFECTS: Readonly<Record<string, () => unknown>> = {
  'dbsrv_a.version': () => {
    const prelogin = packet(TYPE.prelogin, options([VERSION_OPTION])).toString('latin1')
    for (const [version, number] of [
      ['2012', '\x0b\0\x08\x34'],
      ['2022', '\x10\0\x03\xe8'],
    ])
      expect(answer({ 'dbsrv_a.version': version }, prelogin)).toContain(number)
  },
  'dbsrv_b.banner': () => {
    expect(answer({ 'dbsrv_b.banner': '5.5.5-10.6.18-MariaDB' })).toContain('\n5.5.5-10.6.18-MariaDB\0')
  },
  'dbsrv_b.version': () => {
    expect(answer({ 'dbsrv_b.version': 'mysql-5.7' })).toMatch(/\n5\.7\.44\0.*mysql_native_password\0$/s)
    expect(answer({ 'dbsrv_b.version': 'mysql-8.0' })).toMatch(/\n8\.0\.42\0.*caching_sha2_password\0$/s)
  },
  'ftp.banner': () => expect(answer({ 'ftp.banner': 'ProFTPD Server' })).toBe('220 ProFTPD Server\r\n'),
  'http.banner': () =>
    expect(answer({ 'http.banner': 'Apache/2.4.9' }, GET)).toContain('\r\nServer: Apache/2.4.9\r\n'),
  'http.headers': () =>
    expect(
      answer({ 'http.headers': { 'X-Frame-Options': 'DENY' }, 'http.headers.enabled': true }, GET),
    ).toContain('\r\nX-Frame-Options: DENY\r\n'),
  'http.headers.enabled': () =>
    expect(answer({ 'http.headers': { 'X-Frame-Options': 'DENY' } }, GET)).not.toContain('X-Frame-Options'),
  'http.skin': () => {
    for (const skin of settingDescriptors(descriptors)['http.skin']?.choices ?? [])
      expect(skinOf({ 'http.skin': skin })).toBe(skin)
  },
  'httpproxy.banner': () =>
    expect(answer({ 'httpproxy.banner': 'squid/6.6' }, GET)).toMatch(
      /\r\nServer: squid\/6\.6\r\n[^]* \(squid\/6\.6\)\r\n/,
    ),
  'https.headers': () =>
    expect(
      answer({ 'https.headers': { 'X-Frame-Options': 'DENY' }, 'https.headers.enabled': true }, GET),
    ).toContain('\r\nX-Frame-Options: DENY\r\n'),
  'https.headers.enabled': () =>
    expect(answer({ 'https.headers': { 'X-Frame-Options': 'DENY' } }, GET)).not.toContain('X-Frame-Options'),
  'https.redirect_http.enabled': () => {
    const moved = 'HTTP/1.1 301 Moved Permanently'
    const both = { 'http.enabled': true, 'https.port': 8443 }
    expect(answer({ ...both, 'https.redirect_http.enabled': false }, GET)).not.toContain(moved)
    const redirected = answer({ ...both, 'https.redirect_http.enabled': true }, GET)
    expect(redirected).toContain(moved)
    expect(redirected).toContain('\r\nLocation: https://nas.lan:8443/\r\n')
  },
  ...Object.fromEntries(
    [
      'vendorname',
      'productcode',
      'majorminorrevision',
      'vendorurl',
      'productname',
      'modelname',
      'userapplicationname',
    ].map((name, object) => [
      `modbus.${name}`,
      () => {
        const read = `\0\x01\0\0\0\x05\x01+\x0e\x04${String.fromCharCode(object)}`
        expect(answer({ [`modbus.${name}`]: 'ours' }, read)).toMatch(/\x04ours$/)
        expect(answer({ 'modbus.enabled': true }, read)).not.toMatch(/\x04ours$/)
      },
    ]),
  ),
  'ssh.preauth_banner': async () => {
    expect(await sshBanner({ 'ssh.preauth_banner': 'Keep out' })).toBe('auth-banner "Keep out\\n"')
    expect(await sshBanner({ 'ssh.preauth_banner': '' })).toBeUndefined()
  },
  'ssh.version': () => {
    for (const version of settingDescriptors(descriptors)['ssh.version']?.choices ?? [])
      expect(answer({ 'ssh.version': version })).toBe(`SSH-2.0-${version}\r\n`)
  },
  'vnc.version': () => {
    const types = (version: string): string =>
      answer({ 'vnc.version': version }, 'RFB 003.008\n').slice('RFB 003.008\n'.length)
    expect(types('tigervnc-1.12')).toBe('\x02\x13\x02')
    expect(types('tightvnc-1.3.10')).toBe('\x02\x02\x10')
  },
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => `tcpbanner_${n + 1}`).flatMap((name) => {
      const on = { 'tcpbanner.enabled': true, 'tcpbanner_1.enabled': false, [`${name}.enabled`]: true }
      return ['initbanner', 'datareceivedbanner'].map((key) => [
        `${name}.${key}`,
        () => expect(answer({ ...on, [`${name}.${key}`]: 'HI\\x21' }, 'a')).toBe('HI!'),
      ])
    }),
  ),
  ...Object.fromEntries(
    descriptors.flatMap((descriptor) => {
      const on = Object.fromEntries(switchesOf(descriptor).map((key) => [key, true]))
      return [
        ...switchesOf(descriptor).map((key) => [
          key,
          () => {
            const name = key.replace('.enabled', '')
            const switched = name === descriptor.service ? instancesOf(descriptor) : [name]
            expect(instances(on)).toEqual(expect.arrayContaining([...switched]))
            const left = instances({ ...on, [key]: false })
            expect(left.filter((it) => switched.includes(it))).toEqual([])
          },
        ]),
        ...portKeysOf(descriptor).map(
          (key) => [key, () => expect(ports({ ...on, [key]: 8_765 })).toContain(8_765)] as const,
        ),
      ]
    }),
  ),
}

const SMB_KEYS = [
  'advanced.enabled',
  'advanced.serversigning',
  'domain',
  'filetree',
  'guest.enabled',
  'mode',
  'netbios_domain.enabled',
  'netbiosname',
  'serverstring',
  'sharecomment',
  'sharename',
  'workgroup',
]

const BANNER_KEYS = ['alertstring', 'alertstring.enabled', 'keep_alive.enabled', 'keep_alive_secret']

const TELNET_KEYS = ['authentication_failed_prompt', 'banner', 'password_prompt', 'user_prompt']

/** Keys whose effect a test of the console, of the Bird, or of the service's own folder shows. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'device.desc': 'console/src/features/configuration/routes.test.ts',
  'device.host_name': 'decoys/src/machine/story.test.ts',
  'device.mac': 'decoys/src/machine/story.test.ts',
  'device.mac_prefix': 'decoys/src/machine/story.test.ts',
  'device.name': 'console/src/features/configuration/routes.test.ts',
  'http.userwebroot_present': 'decoys/src/services/http/webroot.test.ts',
  'https.certificate': 'decoys/src/services/https/service.test.ts',
  'https.key': 'decoys/src/services/https/service.test.ts',
  'remoteupdates.enabled': 'console/src/features/bird-operations/update.test.ts',
  'rollback.enabled': 'bird/src/active-settings/step.test.ts',
  ...Object.fromEntries(SMB_KEYS.map((key) => [`smb.${key}`, 'decoys/src/services/smb/settings.test.ts'])),
  ...Object.fromEntries(
    BANNER_KEYS.map((key) => [`tcpbanner_1.${key}`, 'decoys/src/services/tcpbanner/service.test.ts']),
  ),
  ...Object.fromEntries(
    TELNET_KEYS.map((key) => [`telnet.${key}`, 'decoys/src/services/telnet/service.test.ts']),
  ),
}

describe('the effect of', () => {
  it.each(Object.keys(EFFECTS))('%s is seen', async (key) => {
    await EFFECTS[key]?.()
  })

  it('each other setting is shown by another test, or there is none, and its descriptor says why', () => {
    const without = Object.entries(settingDescriptors(descriptors)).filter(([, { noEffect }]) => noEffect)
    const accounted = [...Object.keys(EFFECTS), ...Object.keys(ELSEWHERE), ...without.map(([key]) => key)]
    expect(accounted.sort()).toEqual(Object.keys(settingDescriptors(descriptors)))
    for (const [key, file] of Object.entries(ELSEWHERE))
      expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), file).toContain(`'${key}'`)
    for (const [key, { noEffect }] of without) expect(noEffect, key).toMatch(/^[A-Z].*\.$/)
  })
})
