// The cookie of the console's sessions. Browsers send it to every port of its host: also to token servers and decoys. What
// records requests replaces its value before anything is stored.

/** `__Host-`: browsers take it only with Secure, for this host alone, and for every path (RFC 6265bis, 4.1.3.2). */
export const SESSION_COOKIE = '__Host-rookery'

/** As the pair of a header, or as name and value in JSON, also where a recorder cut it. */
const VALUE = new RegExp(
  `(${SESSION_COOKIE}["'\\s\\\\]{0,8}(?:[=:]|%3D)["'\\s\\\\]{0,8})[^;,"'\\s\\\\]+`,
  'gi',
)
const HIDDEN = '(withheld)'

/** The same value without the session cookies in its texts, however deep; the very same where there are none. */
export const withoutSessionCookies = <T>(value: T): T => (holds(value) ? (hide(value) as T) : value)

function holds(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(SESSION_COOKIE)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  return Object.entries(value).some(([name, inner]) => name.includes(SESSION_COOKIE) || holds(inner))
}

function hide(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(VALUE, `$1${HIDDEN}`)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return value.map(hide)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      hide(name),
      name === SESSION_COOKIE && typeof inner === 'string' ? HIDDEN : hide(inner),
    ]),
  )
}
