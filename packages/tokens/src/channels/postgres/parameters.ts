// The parameters of a start-up message: names and values, each with a NUL behind it, and a NUL behind the last of them.
import { loginText } from '../../login-protocol.ts'

/** Undefined where the end is missing, or where more stands behind it. The last one of a name counts. */
export function readParameters(body: Buffer): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>()
  let at = 0
  const next = (): string | undefined => {
    const end = body.indexOf(0, at)
    if (end < 0) return undefined
    const text = loginText(body.subarray(at, end))
    at = end + 1
    return text
  }
  for (let name = next(); name !== undefined; name = next()) {
    if (name === '') return at === body.length ? parameters : undefined
    const value = next()
    if (value === undefined) return undefined
    parameters.set(name, value)
  }
  return undefined
}
