// An app of the operator's tenant of Microsoft Entra. Its provider makes it, and reports who signs in with its certificate.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { certificateName } from './files.ts'

export default token(descriptor, {
  isMetElsewhere: () => true,
  renders(_address, { azure_id_cert_file_name }, issued = {}) {
    const name = certificateName(azure_id_cert_file_name)
    const reason = whyUnusable(azure_id_cert_file_name)
    if (reason !== undefined)
      throw invalidParameter(
        'azure_id_cert_file_name',
        `${reason}, not ${JSON.stringify(azure_id_cert_file_name)}`,
      )
    const { tenant_id = '', app_id = '', certificate_expires = '' } = issued
    return {
      tenant_id,
      app_id,
      certificate_file: name,
      certificate_expires,
      login: `az login --service-principal --username ${app_id} --tenant ${tenant_id} --certificate "${name}"`,
    }
  },
  on: {},
})

function whyUnusable(given: string): string | undefined {
  if (!/^[A-Za-z0-9_].*[^. ]$|^[A-Za-z0-9_]$/.test(given))
    return 'must begin with a letter or a digit, and end with none of a dot and a space'
  return /\.json$/i.test(given) ? 'must be the name of a certificate, such as deploy.pem' : undefined
}
