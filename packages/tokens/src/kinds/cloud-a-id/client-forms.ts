// Configurations of the programs that use a key, as each writes them.
import type { Identity } from './identity.ts'

export type PlantedKey = Pick<Identity, 'accessKeyId' | 'secretAccessKey' | 'region'>

export interface ClientForm {
  readonly filename: string
  /** `endpoint` is undefined for a key of AWS itself. */
  text(key: PlantedKey, endpoint: string | undefined): string
}

const section = (name: string, entries: Readonly<Record<string, string>>): string =>
  [`[${name}]`, ...Object.entries(entries).map(([key, value]) => `${key} = ${value}`), ''].join('\n')

export const CLIENT_FORMS: Readonly<Record<'aws' | 's3cmd' | 'rclone', ClientForm>> = {
  aws: {
    filename: 'credentials',
    text: ({ accessKeyId, secretAccessKey, region }, endpoint) =>
      section('default', {
        aws_access_key_id: accessKeyId,
        aws_secret_access_key: secretAccessKey,
        region,
        ...(endpoint !== undefined && { endpoint_url: endpoint }),
      }),
  },
  s3cmd: {
    filename: '.s3cfg',
    text({ accessKeyId, secretAccessKey, region }, endpoint) {
      const { protocol, host, pathname } = new URL(endpoint ?? 'https://s3.amazonaws.com')
      const base = endpoint === undefined ? host : host + pathname
      return section('default', {
        access_key: accessKeyId,
        bucket_location: region,
        host_base: base,
        host_bucket: endpoint === undefined ? `%(bucket)s.${base}` : base,
        secret_key: secretAccessKey,
        signature_v2: 'False',
        use_https: protocol === 'https:' ? 'True' : 'False',
      })
    },
  },
  rclone: {
    filename: 'rclone.conf',
    text: ({ accessKeyId, secretAccessKey, region }, endpoint) =>
      section('backup', {
        type: 's3',
        // With an endpoint, any other has the bucket in front of the host name.
        provider: endpoint === undefined ? 'AWS' : 'Other',
        access_key_id: accessKeyId,
        secret_access_key: secretAccessKey,
        region,
        ...(endpoint !== undefined && { endpoint }),
      }),
  },
}
