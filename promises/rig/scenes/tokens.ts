// Tokens, made as a user makes them: by the factory of the API.
import type { RunningConsole } from './console.ts'

const AT_ONCE = 16

/** The URLs of new tokens of the kind `http`. */
export async function plantTokens(console: RunningConsole, count: number): Promise<string[]> {
  const urls: string[] = []
  let started = 0
  const one = async (): Promise<void> => {
    while (started < count) {
      const memo = `bench ${++started}`
      const { status, text, json } = await console.post('/decoytoken/factory/create', { kind: 'http', memo })
      if (status !== 200) throw new Error(`A token was refused: ${status} ${text}`)
      urls.push((json['decoytoken'] as { url: string }).url)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  return urls
}
