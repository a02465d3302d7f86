// Calls an operation of a console over the SDK.
import { ApiError } from '@rookery/sdk/api-error.ts'
import { openClient } from '@rookery/sdk/client.ts'
import { callOperation, type ListedOperation } from '@rookery/sdk/operations.ts'
import type { Connection } from './connection.ts'

export async function callConsole(
  { baseUrl, key }: Connection,
  operation: ListedOperation,
  params: Readonly<Record<string, string | File>>,
) {
  try {
    return await callOperation(openClient({ baseUrl, key }), operation, params)
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof TypeError)) throw error
    const { cause } = error as { cause?: { code?: string; message?: string } }
    const reason = cause?.code ?? cause?.message ?? error.message
    const isUntrusted = UNTRUSTED.test(cause?.message ?? '')
    throw new Error(
      isUntrusted ? `${baseUrl}: ${reason}. ${TRUST}` : `No console answers at ${baseUrl}: ${reason}`,
      { cause: error },
    )
  }
}

/** OpenSSL's words for a chain that ends at no known authority (X509_verify_cert_error_string(3)). */
const UNTRUSTED =
  /self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate/i

const TRUST =
  'No authority that this machine knows issued its certificate: set NODE_EXTRA_CA_CERTS to a file with that authority, or, on the machine of the console, call it by --console http://127.0.0.1:8080.'
