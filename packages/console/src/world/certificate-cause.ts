// Why a server's certificate was not taken, in words that name the option.

/** OpenSSL's words for a chain that ends at no known authority (X509_verify_cert_error_string(3)). */
const UNKNOWN_AUTHORITY =
  /self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate/i

export const certificateCause = (error: unknown): string | undefined =>
  error instanceof Error && UNKNOWN_AUTHORITY.test(error.message)
    ? 'No known authority issued its certificate; ROOKERY_OUTBOUND_CA can name an authority of your own.'
    : undefined
