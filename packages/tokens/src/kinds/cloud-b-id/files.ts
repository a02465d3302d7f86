// The files of a service principal: a configuration that names its certificate, and the certificate with its key.
import type { IssuedValues } from '../../issued-values.ts'

/** The name of the configuration. */
export const CONFIG_NAME = 'service-principal.json'

const EXTENSION = /\.(pem|crt|cer|key)$/i

/** As it was given, with `.pem` where it has no extension of a certificate. */
export const certificateName = (given: string): string => (EXTENSION.test(given) ? given : `${given}.pem`)

/** `name` is that of the file with the certificate. */
export const configText = (
  { tenant_id = '', app_id = '', display_name = '' }: IssuedValues,
  name: string,
): string => `${JSON.stringify({ display_name, tenant_id, app_id, certificate_file: name }, undefined, 2)}\n`
