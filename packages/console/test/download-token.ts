// The file of a token, as its user gets it.
import { ADMIN, type TestConsole } from './test-console.ts'

export async function downloadToken({ console }: TestConsole, decoytoken: string): Promise<Buffer> {
  const url = `${console.apiUrl}/api/v1/decoytoken/download?decoytoken=${decoytoken}`
  const response = await fetch(url, { headers: { 'X-Auth-Token': ADMIN } })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200)
    throw new Error(`The download answered ${response.status}: ${bytes.toString()}`)
  return bytes
}
