import { isFree } from '../../tools/free-port.ts'

/** An offset under which all of these ports are free. */
export async function freeOffset(ports: readonly number[]): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const offset = 10_000 + Math.floor(Math.random() * 40_000)
    if ((await Promise.all(ports.map((port) => isFree(port + offset)))).every(Boolean)) return offset
  }
  throw new Error(`No offset leaves ${ports.join(', ')} free.`)
}
