// The certificate that Debian makes when a machine is installed (ssl-cert), and that its services share.
import { birdCertificate, type Certificate } from './certificate.ts'
import type { Derive } from './draw.ts'
import type { Story } from './story.ts'

export const machineCertificate = (
  { hostName, installedAt }: Pick<Story, 'hostName' | 'installedAt'>,
  derive: Derive,
): Promise<Certificate> =>
  birdCertificate(derive, { label: 'machine', commonName: hostName, notBefore: installedAt })
