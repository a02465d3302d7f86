// Sensors of a real host: by connections to its decoys, and, where this process may read packets, by these.
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lineListener } from '../../../test/line-service.ts'
import { openTestHost } from '../../../test/test-host.ts'
import portscan from '../../services/portscan/service.ts'
import { captureObstacle } from './capability.ts'
import type { HostTouch } from '../host-touch.ts'
import type { Host } from '../host.ts'

const ON = portscan.sensors?.({ 'portscan.enabled': true }) ?? []
const DECOYS = [lineListener(22, 'ssh'), lineListener(80, 'http'), lineListener(21, 'ftp')]

/** A loopback address that no other process uses: packets to the usual one are no concern of this host. */
const BIND = `127.77.${(process.pid >> 8) & 255}.${1 + (process.pid % 250)}`

const LOOPBACK = 'it listens on loopback, so only its decoys’ ports are watched'

/** A host with three decoys, and the next touch of a logtype that it emits. */
function openHost(obstacle?: string) {
  const waiting: { logtype: string; resolve: (touch: HostTouch) => void }[] = []
  const touches: HostTouch[] = []
  const { host } = openTestHost({
    bind: BIND,
    ...(obstacle !== undefined && { captureObstacle: () => obstacle }),
    emit(raised) {
      touches.push(...raised)
      for (const touch of raised)
        for (const { logtype, resolve } of waiting) if (logtype === touch.logtype) resolve(touch)
    },
  })
  onTestFinished(() => host.close())
  const next = (logtype: string): Promise<HostTouch> =>
    new Promise((resolve) => waiting.push({ logtype, resolve }))
  return { host, touches, next }
}

const boundPorts = (host: Host): number[] => host.listening().map(({ boundPort }) => boundPort)

/** Connects, and is gone once that was accepted or refused. */
const tryPort = (port: number): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, BIND).on('error', () => undefined)
    socket.once('connect', () => socket.destroy()).once('close', () => resolve())
  })

describe('without packets', () => {
  it('three decoys that one source connects to are a host port scan, by their logical ports', async () => {
    const { host, next } = openHost('no capability')
    await host.apply(DECOYS, ON)
    expect(host.sensing()).toEqual([
      { instance: 'portscan', way: 'connections', reason: `${LOOPBACK}; no capability` },
    ])
    const scan = next('5003')
    for (const port of boundPorts(host)) await tryPort(port)
    expect(await scan).toMatchObject({
      instance: 'portscan',
      dstHost: BIND,
      dstPort: -1,
      fields: { ports: '21,22,80', PROTO: 'TCP' },
    })
  })

  it('nothing is noticed while it is off', async () => {
    const { host, touches } = openHost('no capability')
    await host.apply(DECOYS, ON)
    await host.apply(DECOYS, [])
    expect(host.sensing()).toEqual([])
    for (const port of boundPorts(host)) await tryPort(port)
    await host.close()
    expect(touches.filter(({ instance }) => instance === 'portscan')).toEqual([])
  })
})

const obstacle = captureObstacle()

describe.skipIf(obstacle !== undefined)(`with packets (${obstacle ?? 'this process may read them'})`, () => {
  it('of a Bird on loopback, the ports of decoys that are tried are a host port scan, and no other port', async () => {
    const { host, next } = openHost()
    await host.apply(DECOYS, ON)
    expect(host.sensing()).toEqual([{ instance: 'portscan', way: 'packets', reason: LOOPBACK }])
    const scan = next('5003')
    // Nothing listens there on a machine that runs tests, and programs of the machine itself may try it.
    for (const port of [1, 2, 3, 5, 6, 7, ...boundPorts(host)]) await tryPort(port)
    const { fields, dstHost } = await scan
    expect(dstHost).toBe(BIND)
    expect(fields['ports']).toBe('21,22,80')
    expect(fields).toMatchObject({ PROTO: 'TCP', PREC: '0x00', RES: '0x00', TOS: '0x00', URGP: '0', MAC: '' })
    for (const key of ['ID', 'LEN', 'TTL', 'WINDOW']) expect(fields[key], key).toMatch(/^\d+$/)
  })

  it('its thread ends with the host', async () => {
    const { host } = openHost()
    await host.apply(DECOYS, ON)
    await host.apply(DECOYS, ON)
    await host.close()
    expect(host.sensing()).toEqual([])
  })
})
