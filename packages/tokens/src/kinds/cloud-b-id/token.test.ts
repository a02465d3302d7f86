import { createPrivateKey, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import { makeAppCertificate } from '../../providers/entra/certificate.ts'
import { readSettings } from '../../settings.ts'
import { readZip, unpack } from '@rookery/kernel/zip/read.ts'
import { descriptor } from './descriptor.ts'
import forge from './forge.ts'
import kind from './token.ts'

const NOW = Date.UTC(2026, 10, 23, 9)
const address = { tokenId: 'abc', url: 'https://t.example/abc/x', hostname: 'abc.t.example' }
const { pem } = await makeAppCertificate(NOW, Buffer.alloc(16, 5))
const issued = {
  tenant_id: '72f988bf-0000-4000-8000-2d7cd011db47',
  app_id: 'a9900000-0000-4000-8000-000000000001',
  display_name: 'backup-automation',
  certificate_expires: '2028-11-21',
  pem,
}
const named = (azure_id_cert_file_name: string) => readSettings(descriptor, { azure_id_cert_file_name })

describe('the cloud-b-id kind', () => {
  it('plants a configuration next to the certificate that it names', async () => {
    const { filename, bytes } = await forgeFile(forge, { settings: named('deploy.pem'), issued })
    expect(filename).toBe('deploy.zip')
    const limits = { entries: 2, unpackedBytes: 10_000, ratio: 100 }
    const entries = readZip(Buffer.from(bytes), limits)
    const [config = '', text = ''] = entries.map((entry) => String(unpack(entry, 10_000)))
    expect(JSON.parse(config)).toEqual({
      display_name: 'backup-automation',
      tenant_id: issued.tenant_id,
      app_id: issued.app_id,
      certificate_file: 'deploy.pem',
    })
    expect(entries.map(({ name }) => name)).toEqual(['service-principal.json', 'deploy.pem'])
    expect(new X509Certificate(text).checkPrivateKey(createPrivateKey(text))).toBe(true)
  })

  it('shows how to sign in, and nothing of the key', () => {
    const renders = kind.renders(address, named('deploy'), issued)
    expect(renders).toEqual({
      tenant_id: issued.tenant_id,
      app_id: issued.app_id,
      certificate_file: 'deploy.pem',
      certificate_expires: '2028-11-21',
      login: `az login --service-principal --username ${issued.app_id} --tenant ${issued.tenant_id} --certificate "deploy.pem"`,
    })
  })

  it.each([
    ['../deploy.pem', 'of the characters'],
    ['a/b.pem', 'of the characters'],
    ['.pem', 'must begin with a letter or a digit'],
    ['-rf.pem', 'must begin with a letter or a digit'],
    ['deploy.', 'must begin with a letter or a digit'],
    ['service-principal.json', 'must be the name of a certificate'],
  ])('refuses the file name %s', (name, reason) => {
    const refusal = (): unknown => {
      try {
        return kind.renders(address, named(name), issued)
      } catch (error) {
        return (error as { details?: Record<string, string> }).details?.['azure_id_cert_file_name']
      }
    }
    expect(refusal()).toEqual(expect.stringContaining(reason))
  })

  it('needs the tenant, whatever its settings are', () => {
    expect(descriptor.provider.name).toBe('entra')
    expect(kind.needsProvider).toBeUndefined()
    expect(() => readSettings(descriptor, {})).toThrow('azure_id_cert_file_name')
  })
})
