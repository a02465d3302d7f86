// Why a server's certificate was not taken, in words that name the option.

/** OpenSSL's words for a chain that ends at no known authority (X509_verify_cert_error_string(3)). */
const UNKNOWN_AUTHORITY =
  /self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate/i

/** What OpenSSL makes of an alert (RFC 8446, 6.2) about the certificate that we showed, or did not. */
const ALERT = /ALERT_(?:NO_CERTIFICATE|BAD_CERTIFICATE|\w*CERTIFICATE_\w+|UNKNOWN_CA)/

export function certificateCause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', host = '', cert } = error as TlsError
  if (UNKNOWN_AUTHORITY.test(error.message))
    return 'No known authority issued its certificate; ROOKERY_OUTBOUND_CA can name an authority of your own.'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = (cert?.subjectaltname ?? '').replace(/(?:DNS|IP Address):/g, '').slice(0, 100)
    return `Its certificate is for ${names || 'no name'}, not for ${host}: give it by a name that is in its certificate.`
  }
  if (code === 'CERT_HAS_EXPIRED') return 'Its certificate has expired: it needs a new one.'
  if (/ALERT_CERTIFICATE_REQUIRED/.test(code))
    return 'It asks for a certificate of the console: give client_cert and client_key.'
  return ALERT.test(code)
    ? 'It does not take the certificate that the console shows: give another.'
    : undefined
}

interface TlsError {
  readonly code?: string
  readonly host?: string
  readonly cert?: { readonly subjectaltname?: string }
}
