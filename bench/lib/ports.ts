import { randomInt } from 'node:crypto'
import { FIRST_PORT, isFree, PORTS_END } from '../../tools/free-port.ts'

/** An offset under which all of these ports are free, and none of them is taken while a program restarts. */
export async function freeOffset(ports: readonly number[]): Promise<number> {
  const most = PORTS_END - Math.max(...ports)
  for (let tries = 0; tries < 50; tries++) {
    const offset = randomInt(FIRST_PORT, most)
    if ((await Promise.all(ports.map((port) => isFree(port + offset)))).every(Boolean)) return offset
  }
  throw new Error(`No offset leaves ${ports.join(', ')} free.`)
}
