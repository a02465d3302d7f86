// Configurations of the programs that use a key, as each writes them.
import type { TokenAddress } from '../../token.ts'
import type { Identity } from './identity.ts'

export interface ClientForm {
  readonly filename: string
  text(identity: Identity, address: TokenAddress): string
}

const section = (name: string, entries: Readonly<Record<string, string>>): string =>
  [`[${name}]`, ...Object.entries(entries).map(([key, value]) => `${key} = ${value}`), ''].join('\n')

export const CLIENT_FORMS: Readonly<Record<'aws' | 's3cmd' | 'rclone', ClientForm>> = {
  aws: {
    filename: 'credentials',
    text: ({ accessKeyId, secretAccessKey, region }, { url }) =>
      section('default', {
        aws_access_key_id: accessKeyId,
        aws_secret_access_key: secretAccessKey,
        region,
        endpoint_url: url,
      }),
  },
  s3cmd: {
    filename: '.s3cfg',
    text({ accessKeyId, secretAccessKey, region }, { url }) {
      const { protocol, host, pathname } = new URL(url)
      return section('default', {
        access_key: accessKeyId,
        bucket_location: region,
        host_base: host + pathname,
        host_bucket: host + pathname,
        secret_key: secretAccessKey,
        signature_v2: 'False',
        use_https: protocol === 'https:' ? 'True' : 'False',
      })
    },
  },
  rclone: {
    filename: 'rclone.conf',
    text: ({ accessKeyId, secretAccessKey, region }, { url }) =>
      section('backup', {
        type: 's3',
        // Any other has the bucket in front of the host name.
        provider: 'Other',
        access_key_id: accessKeyId,
        secret_access_key: secretAccessKey,
        region,
        endpoint: url,
      }),
  },
}
