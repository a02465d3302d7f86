// Flocks, made as a user makes them.
import type { RunningConsole } from './console.ts'

/** Makes so many; answers their ids. */
export async function makeFlocks(console: RunningConsole, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const { json, text } = await console.post('/flock/create', { name: `Flock ${at}` })
    if (typeof json['flock_id'] !== 'string') throw new Error(`No Flock was made: ${text}`)
    ids.push(json['flock_id'])
  }
  return ids
}
